import { jobApi } from '@campus/jobs/contract'
import type { Reply } from '@kit/contract'
import { call, instantText, JobProgress, jobRuns, toast } from '@kit/web'
import { Button, Drawer, Empty } from 'antd'
import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'

type JobRow = Reply<typeof jobApi.one>
type Props = { open: boolean; jobs: JobRow[]; refresh: () => Promise<unknown>; onClose: () => void }

/** My jobs with progress, 取消 and 下载结果; says so when one finishes. */
export default function JobDrawer({ open, jobs, refresh, onClose }: Props): ReactNode {
  useFinishToast(jobs)
  return (
    <Drawer title="任务中心" open={open} onClose={onClose} size={420}>
      {jobs.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="暂无任务，导入、导出等耗时操作会显示在这里" />}
      <ul className="app-jobs">
        {jobs.map((job) => (
          <li key={job.job_no}>
            <div className="app-job-head">
              <b>{job.title}</b>
              <span className="kit-number">{instantText(job.created_at)}</span>
            </div>
            <JobProgress job={job} />
            {jobRuns(job) && (
              <Button type="link" size="small" disabled={job.cancel_asked} onClick={() => void cancel(job.job_no).then(refresh)}>
                {job.cancel_asked ? '正在取消' : '取消'}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Drawer>
  )
}

async function cancel(job_no: string): Promise<void> {
  await call(jobApi.cancel, { job_no }).catch(() => undefined)
}

function useFinishToast(jobs: readonly JobRow[]): void {
  const running = useRef(new Set<string>())
  useEffect(() => {
    for (const job of jobs) {
      if (!jobRuns(job) && running.current.has(job.job_no)) toast.info(`任务“${job.title}”已结束`)
    }
    running.current = new Set(jobs.filter(jobRuns).map((job) => job.job_no))
  }, [jobs])
}
