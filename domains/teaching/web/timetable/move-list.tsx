import { solveApi } from '@campus/teaching/contract'
import type { SolveMove, View } from '@campus/teaching/contract'
import { Loaded, useCall } from '@kit/web/part'
import { Button, Checkbox } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'

type Props = {
  run_id: string; busy: boolean; is_change: boolean
  take: (lesson_ids?: string[]) => Promise<void>
  look: (view: View, id: string) => void
}

/** What the result moves: taken as a whole or row by row. Rows that are in each other's way are chosen together (chapter 50 §3.9.10). */
export function MoveList({ run_id, busy, is_change, take, look }: Props): ReactNode {
  const query = useCall(solveApi.moves, { id: run_id })
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set())
  const takeChosen = async () => {
    await take([...chosen])
    choose(new Set())
  }
  return (
    <Loaded query={query} rows={4}>
      {({ list, total, lessons }) => (
        <section aria-label="调整清单">
          <p>共{lessons}节课，{total === 0 ? '没有需要调整的课' : `需要调整${total}节`}</p>
          <ul className="timetable-steps">
            {list.map(row => (
              <MoveRow
                key={row.lesson_id} row={row} checked={chosen.has(row.lesson_id)} look={look}
                toggle={on => choose(toggled(chosen, row, list, on))}
              />
            ))}
          </ul>
          <Button type="primary" loading={busy} disabled={chosen.size > 0} onClick={() => void take()}>
            {is_change ? '全部采用' : '采用结果'}
          </Button>
          {list.length > 0 && (
            <Button loading={busy} disabled={chosen.size === 0} onClick={() => void takeChosen()}>采用所选 {chosen.size}节</Button>
          )}
        </section>
      )}
    </Loaded>
  )
}

type RowProps = { row: SolveMove; checked: boolean; toggle: (on: boolean) => void; look: Props['look'] }

function MoveRow({ row, checked, toggle, look }: RowProps): ReactNode {
  const { class_name, course_name, from, to, teachers, pupils, with_ids } = row
  return (
    <li>
      <Checkbox checked={checked} onChange={event => toggle(event.target.checked)}>{class_name} {course_name}：{from} → {to}</Checkbox>
      <small>
        影响{teachers.map(one => one.user_name).join('、') || '（没有教师）'}，{class_name}{pupils > 0 && `${pupils}名学生`}{with_ids.length > 0
          && `；须与另外${with_ids.length}节一起采用`}
        <Button type="link" size="small" aria-label={`查看 ${class_name} ${course_name}`} onClick={() => look('class', row.class_id)}>
          查看
        </Button>
      </small>
    </li>
  )
}

/** Choosing a row chooses what is in its way; leaving one out leaves out those that need it. */
function toggled(chosen: ReadonlySet<string>, row: SolveMove, list: readonly SolveMove[], on: boolean): ReadonlySet<string> {
  const next = new Set(chosen)
  const follow = (id: string): void => {
    if (next.has(id) === on) return
    if (on) next.add(id)
    else next.delete(id)
    const near = on ? (list.find(one => one.lesson_id === id)?.with_ids ?? []) : list.filter(one => one.with_ids.includes(id)).map(one =>
      one.lesson_id)
    near.forEach(follow)
  }
  follow(row.lesson_id)
  return next
}
