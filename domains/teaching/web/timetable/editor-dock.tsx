import { conflict_kinds, versionApi } from '@campus/teaching/contract'
import type { Conflict, PlanLesson } from '@campus/teaching/contract'
import { instantText } from '@kit/web'
import { Loaded, useCall } from '@kit/web/part'
import { Button, Empty, Tag } from 'antd'
import { useState } from 'react'
import type { DragEvent, ReactNode } from 'react'
import { Chip } from './editor-grid.tsx'

type UnplacedProps = { lessons: readonly PlanLesson[]; picked: string | null; pick: (lesson: PlanLesson | null) => void; drop: (lesson_id: string) => void }

/** Lessons without a place; one from the grid that is dropped here is taken down. */
export function UnplacedList({ lessons, picked, pick, drop }: UnplacedProps): ReactNode {
  const handlers = {
    onDragOver: (event: DragEvent) => event.preventDefault(),
    onDrop: (event: DragEvent) => {
      event.preventDefault()
      const id = event.dataTransfer.getData('text/plain')
      if (id !== '' && !lessons.some(one => one.id === id)) drop(id)
    },
  }
  return (
    <div className="timetable-unplaced" role="presentation" {...handlers}>
      {lessons.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="这里没有未排的课；把课拖到这里可取下" />}
      {lessons.map(one => (
        <div key={one.id} className="timetable-waiting">
          <Chip lesson={one} view="class" is_picked={picked === one.id} draggable={!one.locked} pick={() => pick(picked === one.id ? null : one)} lift={() => pick(one)} />
          {one.span > 1 && <Tag>连堂</Tag>}
          <Button size="small" type="link" aria-pressed={picked === one.id} aria-label={`拿起 ${one.class_name} ${one.course_name}`} onClick={() => pick(picked === one.id ? null : one)}>{picked === one.id ? '放下' : '拿起'}</Button>
        </div>
      ))}
    </div>
  )
}

/** What the checker finds: of the grid at once, of the whole version when asked. */
export function ConflictList({ version_id, near }: { version_id: string; near: readonly Conflict[] }): ReactNode {
  const [whole, ask] = useState(false)
  const query = useCall(versionApi.check, { id: version_id }, { enabled: whole })
  const list = whole ? (query.data?.conflicts ?? []) : near
  return (
    <div className="timetable-findings">
      <Button size="small" onClick={() => ask(!whole)} loading={query.isFetching} aria-pressed={whole}>{whole ? '只看当前课表' : '检查全部'}</Button>
      {query.data && whole && <span>共{query.data.blocking}处冲突，{query.data.reminders}项提醒</span>}
      {list.length === 0 && !query.isFetching && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="没有冲突" />}
      <ul>{list.map(one => <li key={one.id}><Tag color={one.severity === 1 ? 'red' : 'orange'}>{conflict_kinds[one.kind]}</Tag>{one.message}</li>)}</ul>
    </div>
  )
}

/** Who did what to the draft. */
export function StepList({ version_id }: { version_id: string }): ReactNode {
  const query = useCall(versionApi.steps, { id: version_id })
  return (
    <Loaded query={query} rows={4} empty="还没有修改">
      {({ list }) => <ul className="timetable-steps">{list.map(step => <li key={step.seq} data-undone={step.undone || undefined}><span>{step.title}</span><small>{step.user_name} {instantText(step.at)}{step.undone && ' 已撤销'}</small></li>)}</ul>}
    </Loaded>
  )
}
