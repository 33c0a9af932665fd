import { Button, Progress, Space } from 'antd'
import type { ReactNode } from 'react'
import { kitPorts } from '../ports.ts'
import type { JobView } from '../ports.ts'
import { jobRuns } from './job.ts'

/** Whole percent of a job; finished jobs are 100 even when they had nothing to do. */
export function jobPercent(job: Pick<JobView, 'state' | 'total' | 'done'>): number {
  if (job.state === 'succeeded' || job.state === 'partly') return 100
  return job.total === 0 ? 0 : Math.min(100, Math.floor((job.done / job.total) * 100))
}

const sentences: Record<JobView['state'], string> = {
  queued: '排队中',
  running: '处理中',
  succeeded: '已完成',
  partly: '部分完成',
  failed: '失败',
  cancelled: '已取消',
}
/** Looks of the bar: one that was cancelled is past, grey and without its percent. */
export const job_bars = {
  queued: { status: 'active' },
  running: { status: 'active' },
  succeeded: { status: 'success' },
  partly: { status: 'success' },
  failed: { status: 'exception' },
  cancelled: { status: 'normal', strokeColor: '#bfbfbf', showInfo: false },
} as const

/** Bar, stage, counts and result of one job. */
export function JobProgress({ job }: { job: JobView }): ReactNode {
  const { state, total, done, failed } = job
  return (
    <div className="kit-job">
      <Progress percent={jobPercent(job)} {...job_bars[state]} size="small" aria-label={job.title} />
      <Space size={8} className="kit-job-line">
        <span>{job.stage && jobRuns(job) ? job.stage : sentences[state]}</span>
        {total > 0 && <span className="kit-number">{`${done.toLocaleString()} / ${total.toLocaleString()}`}</span>}
        {failed > 0 && <span className="kit-bad">{`失败 ${failed.toLocaleString()}`}</span>}
        {job.error_msg && <span className="kit-bad">{job.error_msg}</span>}
        {job.has_result && !jobRuns(job) && (
          <Button type="link" size="small" onClick={() => void kitPorts().downloadJob(job.job_no).catch(() => undefined)}>
            下载结果
          </Button>
        )}
      </Space>
    </div>
  )
}
