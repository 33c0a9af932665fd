import { job_view_all, jobApi } from '@campus/jobs/contract'
import type { JobRow } from '@campus/jobs/contract'
import { call, Can, instantText, JobProgress, jobRuns, Loading } from '@kit/web'
import { useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Empty, Segmented } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { sayUnreachable } from '../refusal.ts'
import { useJobProgress, useJobs } from './use-jobs.ts'
import type { Whose } from './use-jobs.ts'
import { useRemaining } from './use-remaining.ts'

const choices: { value: Whose; label: string }[] = [{ value: 'mine', label: '我的任务' }, { value: 'school', label: '全校任务' }]

/** 任务中心: my jobs with bar, stage and remaining time, to cancel or to fetch; whoever may sees those of the whole school. Content of the drawer behind the bell. */
export function TaskCenter(): ReactNode {
  const [whose, setWhose] = useState<Whose>('mine')
  return (
    <>
      <Can code={job_view_all}><Segmented className="task-whose" aria-label="任务范围" options={choices} value={whose} onChange={setWhose} /></Can>
      <Tasks whose={whose} />
    </>
  )
}

function Tasks({ whose }: { whose: Whose }): ReactNode {
  const jobs = useJobs(whose)
  if (jobs.isPending) return <Loading rows={6} />
  if (jobs.isError && !jobs.data) {
    return (
      <div className="kit-failed" role="alert">
        <p>任务加载失败</p>
        <Button onClick={() => void jobs.refetch()}>重试</Button>
      </div>
    )
  }
  if (jobs.data.list.length === 0) return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有任务，导入、导出会显示在这里" />
  const { list, total } = jobs.data
  return (
    <>
      {jobs.isError && <Alert className="task-late" type="warning" showIcon role="status" title="进度暂时取不到，任务仍在继续，恢复后会自动更新" />}
      <ul className="task-list" ref={reachable}>
        {list.map((job) => (
          <TaskLine key={job.job_no} job={job} />
        ))}
      </ul>
      {total > list.length && <p className="task-more">{`只显示最近 ${list.length} 个任务，共 ${total.toLocaleString('zh-CN')} 个`}</p>}
    </>
  )
}

/** Lines without any button are scrolled by key from the list itself. */
function reachable(list: HTMLUListElement | null): void {
  if (list) list.tabIndex = 0
}

function TaskLine({ job }: { job: JobRow }): ReactNode {
  const client = useQueryClient()
  const remaining = useRemaining(job)
  useJobProgress(job)
  const runs = jobRuns(job)
  const cancel = async () => {
    await call(jobApi.cancel, { job_no: job.job_no }).catch(sayUnreachable)
    await client.invalidateQueries({ queryKey: [jobApi.list.call] })
  }
  return (
    <li>
      <div className="task-title">
        <b title={job.title}>{job.title}</b>
        {runs && (
          <Button size="small" aria-label={job.cancel_asked ? undefined : `取消 ${job.title}`} disabled={job.cancel_asked} onClick={() => void cancel()}>
            {job.cancel_asked ? '正在取消' : '取消'}
          </Button>
        )}
      </div>
      <JobProgress job={job} />
      <small className="import-hint">{[job.is_mine ? undefined : job.created_by_name, instantText(job.created_at), remaining].filter((text) => text !== undefined).join('　')}</small>
    </li>
  )
}
