import { personApi } from '@campus/people/contract'
import type { PersonHead } from '@campus/people/contract'
import { Can, dictionaryName, useCan } from '@kit/web'
import { Button } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { pupilChoices, RevealDialog } from '../student-file/reveal-dialog.tsx'
import { useFile } from '../student-file/use-file.ts'
import { useRevealed } from '../student-file/use-revealed.ts'

/** The phones of a pupil's parents, what his page is asked most: masked until somebody says why he needs them (rule 19). */
export function GuardianPhones({ person: { user_id, facets } }: { person: PersonHead }): ReactNode {
  const may_see = useCan(personApi.detail)
  const is_pupil = facets.some(({ facet, left_on }) => facet === 'student' && left_on === null)
  return is_pupil && may_see ? <Phones id={user_id} /> : null
}

function Phones({ id }: { id: string }): ReactNode {
  const { file } = useFile(id)
  const revealed = useRevealed()
  const [asking, setAsking] = useState(false)
  if (!file || file.parents.length === 0) return null
  return (
    <div className="person-phones" role="group" aria-label="家长电话">
      {file.parents.map(({ user_id, user_name, relation, mobile }) => (
        <span key={user_id}>{user_name} <small>{dictionaryName('PICKUP_RELATION', relation)}</small> <span className="kit-number">{revealed.value(user_id, 'mobile') ?? mobile ?? '无手机号'}</span></span>
      ))}
      <Can code={personApi.reveal}><Button size="small" onClick={() => setAsking(true)}>查看家长电话</Button></Can>
      <RevealDialog choices={pupilChoices(file)} revealed={revealed} open={asking} onClose={() => setAsking(false)} />
    </div>
  )
}
