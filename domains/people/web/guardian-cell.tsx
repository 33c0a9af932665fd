import type { StudentRow } from '@campus/people/contract'
import { dictionaryName } from '@kit/web'
import { Tooltip } from 'antd'
import type { ReactNode } from 'react'

type Guardian = StudentRow['parents'][number]

/** The first guardian with relation and how many more; pointing at it or focusing it shows all with their masked numbers. */
export function GuardianCell({ parents }: { parents: readonly Guardian[] }): ReactNode {
  const [first, ...more] = parents.toSorted((a, b) => Number(b.is_first) - Number(a.is_first))
  if (!first) return <span className="people-missing">无家长</span>
  return (
    <Tooltip title={<GuardianList parents={[first, ...more]} />}>
      <button type="button" className="people-guardian">
        {first.user_name} <small>{dictionaryName('PICKUP_RELATION', first.relation)}</small>
        {more.length > 0 && <small> +{more.length}</small>}
      </button>
    </Tooltip>
  )
}

function GuardianList({ parents }: { parents: readonly Guardian[] }): ReactNode {
  return (
    <ul className="people-guardians">
      {parents.map((parent) => (
        <li key={parent.user_id}>
          {[parent.user_name, dictionaryName('PICKUP_RELATION', parent.relation), parent.mobile ?? '无手机号', parent.is_guardian ? '监护人' : ''].filter((text) => text !== '').join('　')}
        </li>
      ))}
    </ul>
  )
}
