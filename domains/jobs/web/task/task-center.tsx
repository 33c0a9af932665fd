import { jobApi } from '@campus/jobs/contract'
import type { JobRow } from '@campus/jobs/contract'
import { call, instantText, JobProgress, jobRuns } from '@kit/web'
import { useQueryClient } from '@tanstack/react-query'
import { Button, Empty, Skeleton } from 'antd'
import type { ReactNode } from 'react'
import { useJobs } from './use-jobs.ts'
import { useRemaining } from './use-remaining.ts'

/** 任务中心: my jobs with bar, stage and remaining time, to cancel or to fetch. Content of the drawer behind the bell. */
export function TaskCenter(): ReactNode {
  const jobs = useJobs()
  if (jobs.isPending) return <Skeleton active paragraph={{ rows: 6 }} />
  if (jobs.isError && !jobs.data) {
    return (
      <div className="kit-failed" role="alert">
        <p>任务加载失败</p>
        <Button onClick={() => void jobs.refetch()}>重试</Button>
      </div>
    )
  }
  if (jobs.data.list.length === 0) return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有任务，导入、导出会显示在这里" />
  return (
    <ul className="task-list">
      {jobs.data.list.map((job) => (
        <TaskLine key={job.job_no} job={job} />
      ))}
    </ul>
  )
}

function TaskLine({ job }: { job: JobRow }): ReactNode {
  const client = useQueryClient()
  const remaining = useRemaining(job)
  const runs = jobRuns(job)
  const cancel = async () => {
    await call(jobApi.cancel, { job_no: job.job_no }).catch(() => undefined)
    await client.invalidateQueries({ queryKey: [jobApi.list.call] })
  }
  return (
    <li>
      <div className="task-title">
        <b>{job.title}</b>
        {runs && (
          <Button size="small" disabled={job.cancel_asked} onClick={() => void cancel()}>
            {job.cancel_asked ? '正在取消' : '取消'}
          </Button>
        )}
      </div>
      <JobProgress job={job} />
      <small className="import-hint">{[instantText(job.created_at), remaining].filter((text) => text !== undefined).join('　')}</small>
    </li>
  )
}
