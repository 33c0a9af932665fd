import { Button } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { AppModal } from '../page/app-modal.tsx'
import { JobProgress } from '../parts/job-progress.tsx'
import { jobRuns, useJob } from '../parts/job.ts'
import { kitPorts } from '../ports.ts'

/** An export on its way: its bar, then its file. What is closed goes on, and waits in the task center. */
export function ExportProgress({ job_no, kept, close }: { job_no: string; kept: string; close: () => void }): ReactNode {
  const job = useJob(job_no)
  const [asked, setAsked] = useState(false)
  const cancel = () => {
    setAsked(true)
    kitPorts().cancelJob(job_no).catch(() => setAsked(false))
  }
  const footer = (
    <>
      {job && jobRuns(job) && <Button danger disabled={asked} onClick={cancel}>{asked ? '正在取消' : '取消导出'}</Button>}
      <Button type="primary" onClick={close}>关闭</Button>
    </>
  )
  return (
    <AppModal open title="导出" width={520} footer={footer} onCancel={close}>
      {job && <JobProgress job={job} />}
      <p>{`可以关闭此窗口，稍后在任务中心下载。文件保留 ${kept}，仅本人可以下载。`}</p>
    </AppModal>
  )
}
