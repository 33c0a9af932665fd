import { jobApi } from '@campus/jobs/contract'
import type { ImportBatch } from '@campus/jobs/contract'
import { call, JobProgress, toast, useJob } from '@kit/web'
import { Button, Progress } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { sayUnreachable } from '../refusal.ts'
import { doing } from './batch-told.ts'

/** While the server reads or writes: the bar of its job, which can be left alone or cancelled. */
export function RunStep({ batch, onClose }: { batch: ImportBatch; onClose: () => void }): ReactNode {
  const job = useJob(batch.job_no)
  const [asked, setAsked] = useState<string>()
  const cancel = async () => {
    if (batch.job_no === null) return
    setAsked(batch.job_no)
    try {
      await call(jobApi.cancel, { job_no: batch.job_no })
      toast.info('已请求取消，正在停止')
    } catch (cause) {
      sayUnreachable(cause)
      setAsked(undefined)
    }
  }
  return (
    <div className="import-run">
      <h3>{doing[batch.state]}</h3>
      <p className="import-file">{batch.file_name}</p>
      {job ? <JobProgress job={job} /> : <Progress percent={0} size="small" status="active" aria-label={batch.title} />}
      <p className="import-hint">可以离开此页面，任务会在后台继续，进度在任务中心；稍后从“最近的导入”回来。</p>
      <div className="import-buttons">
        <Button onClick={onClose}>离开，稍后查看</Button>
        {batch.job_no !== null && batch.state !== 'undoing' && (
          <Button danger disabled={asked === batch.job_no} onClick={() => void cancel()}>
            {asked === batch.job_no ? '正在取消' : '取消'}
          </Button>
        )}
      </div>
    </div>
  )
}
