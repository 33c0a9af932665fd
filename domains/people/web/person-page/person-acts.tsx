import { studentApi } from '@campus/people/contract'
import type { PersonHead } from '@campus/people/contract'
import { call, sentenceOf, toast, useCan, usePageKeys } from '@kit/web'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { ChangeDialogs, useChangeDoor } from '../change/change-door.tsx'
import { file_needs, StudentFile, useFileDoor } from '../student-file/file-door.tsx'

const change_code = 'people.change.run'

/** 编辑 (E) and 调班 (T) of a pupil on the roll. */
export function PersonActs({ person: { user_id, facets }, again }: { person: PersonHead; again: () => void }): ReactNode {
  const file = useFileDoor()
  const change = useChangeDoor()
  const pupil = facets.find(({ facet, left_on }) => facet === 'student' && left_on === null)
  const may_edit = useCan(file_needs.write) && pupil !== undefined
  const may_move = useCan(change_code) && pupil?.state === '01' && pupil.label !== null
  const edit = () => file.open({ view: 'edit', user_id })
  const move = async () => {
    const { list } = await call(studentApi.list, { keyword: pupil?.user_no ?? '' }, { quiet: true })
    const row = list.find(one => one.user_id === user_id)
    if (row) change.open({ kind: 'move', rows: [row] })
  }
  const start = () => void move().catch((cause: unknown) => toast.error(sentenceOf(cause)))
  usePageKeys({ e: may_edit ? edit : undefined, t: may_move ? start : undefined })
  return (
    <div className="person-acts">
      {may_edit && <Button aria-keyshortcuts="E" onClick={edit}>编辑</Button>}
      {may_move && <Button aria-keyshortcuts="T" onClick={start}>调班</Button>}
      <StudentFile door={{ ...file, close: () => { file.close(); again() } }} dept_id={undefined} />
      <ChangeDialogs door={{ ...change, close: () => { change.close(); again() } }} />
    </div>
  )
}
