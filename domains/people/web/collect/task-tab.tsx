import type { CollectTaskRow } from '@campus/people/contract'
import { PartState } from '@kit/web/part'
import { Button, Empty, Pagination } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { TaskCard } from './task-card.tsx'
import { useTasks } from './use-collect.ts'
import './collect.css'

const TaskEditor = lazy(() => import('./task-editor.tsx').then(part => ({ default: part.TaskEditor })))
const page_size = 20

/** 采集任务: what the school asks families to check, how far each task has come, and who is reminded. */
export function TaskTab(): ReactNode {
  const [page_index, goTo] = useState(1)
  const [edited, edit] = useState<CollectTaskRow | 'new' | null>(null)
  const query = useTasks(page_index, page_size)
  const { data } = query
  if (!data) return <PartState query={query} />
  return (
    <section className="collect-tasks" aria-label="采集任务列表" data-ready="tasks">
      <div><Button type="primary" onClick={() => edit('new')}>新建采集任务</Button></div>
      {data.list.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有采集任务。新建后选择部门和要核对的字段，家长或教职工一键确认或修改。" />}
      {data.list.map(task => <TaskCard key={task.id} task={task} edit={() => edit(task)} />)}
      {data.total > page_size && <Pagination align="end" current={page_index} pageSize={page_size} total={data.total} showSizeChanger={false} onChange={goTo} />}
      <Suspense>{edited !== null && <TaskEditor task={edited === 'new' ? undefined : edited} onClose={() => edit(null)} />}</Suspense>
    </section>
  )
}
