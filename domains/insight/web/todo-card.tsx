import { importApi, jobApi } from '@campus/jobs/contract'
import type { ImportBatch, JobRow } from '@campus/jobs/contract'
import { TaskCenter } from '@campus/jobs/web'
import { useSetup } from '@campus/school/web'
import { AppDrawer, call, serverNow, usePage } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { batchText, freshFailures } from './todo.ts'
import type { Todo } from './todo.ts'

const PAGE_SIZE = 20
const SHOWN = 4

/** 待我处理: imports that wait for a decision, jobs that failed, a set-up that is not finished. */
export function TodoCard({ onBatch }: { onBatch: (batch: ImportBatch) => void }): ReactNode {
  const { data, isError, isPending, refetch } = useTodo()
  return (
    <section className="insight-card insight-todo" aria-labelledby="insight-todo">
      <header>
        <h2 id="insight-todo">待我处理</h2>
      </header>
      {isPending && <p className="insight-hint" role="status">正在读取</p>}
      {isError && !data && (
        <div className="kit-failed" role="alert">
          <p>待办加载失败</p>
          <Button size="small" onClick={() => void refetch()}>重试</Button>
        </div>
      )}
      {data && <TodoList todo={data} onBatch={onBatch} />}
    </section>
  )
}

/** What waits for the person. */
export function useTodo() {
  const { active } = usePage()
  return useQuery({
    queryKey: ['insight-todo'],
    queryFn: async ({ signal }): Promise<Todo> => {
      const options = { signal, quiet: true }
      const batches = await call(importApi.batches, { state: 'parsed', mine: '1', page_size: PAGE_SIZE }, options)
      const failed = await call(jobApi.list, { state: 'failed', mine: '1', page_size: PAGE_SIZE }, options)
      return { batches: batches.list, batch_total: batches.total, failures: freshFailures(failed.list, serverNow()) }
    },
    refetchOnWindowFocus: true,
    enabled: active,
  })
}

/** The lines of what waits. */
export function TodoList({ todo: { batches, batch_total, failures }, onBatch }: { todo: Todo; onBatch: (batch: ImportBatch) => void }): ReactNode {
  const [is_open, setOpen] = useState(false)
  const setup = useSetup()
  const steps = setup.list ? setup.list.total - setup.list.done : 0
  if (batch_total + failures.length + steps === 0) return <p className="insight-hint">没有待处理的事项</p>
  return (
    <>
      {batch_total > 0 && (
        <Group title={`待确认的导入 ${batch_total}`}>
          {batches.slice(0, SHOWN).map((batch) => (
            <li key={batch.batch_no}>
              <button type="button" className="insight-line" title={batchText(batch)} onClick={() => onBatch(batch)}>
                <b>{batch.title}</b>
                <span>{batchText(batch)}</span>
              </button>
            </li>
          ))}
          {batch_total > SHOWN && <li className="insight-hint">{`另有${batch_total - SHOWN}个批次，打开任一批次后在“最近的导入”中查看`}</li>}
        </Group>
      )}
      {failures.length > 0 && <Failures jobs={failures} open={() => setOpen(true)} />}
      {steps > 0 && <Unfinished steps={steps} hidden={setup.list?.hidden !== null} show={() => setup.hide(false)} />}
      <AppDrawer title="任务中心" open={is_open} onClose={() => setOpen(false)} size={420}>
        <TaskCenter />
      </AppDrawer>
    </>
  )
}

function Failures({ jobs, open }: { jobs: readonly JobRow[]; open: () => void }): ReactNode {
  return (
    <Group title={`近3天失败的任务 ${jobs.length}`}>
      {jobs.slice(0, SHOWN).map((job) => (
        <li key={job.job_no}>
          <button type="button" className="insight-line" title={[job.title, job.error_msg].filter(Boolean).join('　')} onClick={open}>
            <b>{job.title}</b>
            <span>{job.error_msg ?? '任务失败'}</span>
          </button>
        </li>
      ))}
    </Group>
  )
}

function Unfinished({ steps, hidden, show }: { steps: number; hidden: boolean; show: () => void }): ReactNode {
  return (
    <Group title={`开始使用还有 ${steps} 步`}>
      <li>
        {hidden ? (
          <button type="button" className="insight-line" onClick={show}><b>重新显示开始使用清单</b></button>
        ) : (
          <a className="insight-line" href="#setup"><b>按上方清单的顺序完成</b></a>
        )}
      </li>
    </Group>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <>
      <h3>{title}</h3>
      <ul>{children}</ul>
    </>
  )
}
