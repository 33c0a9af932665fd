import { useCallback } from 'react'
import type { ReactNode } from 'react'
import { Bars, Card, Failed } from '../../shell/parts.tsx'
import { useLoaded } from '../../shell/use-loaded.ts'
import type { LeavePage } from '../page.ts'
import { spanText, stateName, typeName } from '../words.ts'

const pupil = 1

/** 班级今日: who of my class is on leave today. */
export function ClassToday({ call }: LeavePage): ReactNode {
  const { data, failure, again } = useLoaded(useCallback(() => call('today', {}), [call]))
  if (!data) return failure === undefined ? <Bars rows={4} /> : <Failed msg={failure} onAgain={again} />
  if (data.classes.length === 0) return <Card title="班级今日"><p className="empty">您没有担任班主任的班级</p></Card>
  return data.classes.map(one => (
    <Card key={one.dept_id} title={`${one.dept_name} 请假${one.leaves.length}人 / ${one.pupils.length}人`}>
      {one.leaves.length === 0 && <p className="empty">今日无人请假</p>}
      <ul className="lines">
        {one.leaves.map(leave => <li key={`${leave.leave_id}-${leave.user_id}`} className="line"><span className="words"><b>{leave.user_name} {typeName(pupil, leave.leave_type)}</b><small>{spanText(leave)}</small></span><span className="tag">{stateName(leave.state)}</span></li>)}
      </ul>
    </Card>
  ))
}
