import type { ImportBatch } from '@campus/jobs/contract'
import { CallError, Loading, useJob, useOffline } from '@kit/web'
import type { UseQueryResult } from '@tanstack/react-query'
import { Alert, Button } from 'antd'
import type { ReactNode } from 'react'
import { refusalText } from '../refusal.ts'
import { batchRuns, stepOf, steps } from './batch-stage.ts'
import { toldOf } from './batch-told.ts'
import { CheckStep } from './check-step.tsx'
import { EndedStep } from './ended-step.tsx'
import { ResultStep } from './result-step.tsx'
import { RunStep } from './run-step.tsx'
import { StartStep } from './start-step.tsx'
import type { Unsaved } from './use-unsaved.ts'
import { useStepFocus } from './use-step-focus.ts'

type Props = {
  template: string
  unit: string
  batch_no: string | undefined
  batch: UseQueryResult<ImportBatch>
  unsaved: Unsaved
  onBatch: (batch_no: string | undefined) => void
  onClose: () => void
}

/** The step a batch stands on; what changes is told to those who hear the screen, and the focus never stays behind. */
export function WizardBody(props: Props): ReactNode {
  const { batch_no, batch } = props
  const now = batch_no === undefined ? undefined : batch.data
  const at = stepOf(now)
  const body = useStepFocus(`${batch_no ?? ''}:${now?.state ?? ''}:${batch.isError}`)
  const job = useJob(now && batchRuns(now) ? now.job_no : null)
  return (
    <div ref={body} className="import-body" tabIndex={-1} role="group" aria-label={batch_no !== undefined && !now ? '导入' : `${steps[at]}，第 ${at + 1} 步，共 ${steps.length} 步`}>
      <p className="kit-hidden" role="status">{now && toldOf(now, job)}</p>
      <Trouble late={now !== undefined && batch.isError} />
      <WizardStep {...props} />
    </div>
  )
}

/** The drawer covers the console's own strip; what is shown may be of a moment ago. */
function Trouble({ late }: { late: boolean }): ReactNode {
  const offline = useOffline()
  if (!offline && !late) return null
  return <Alert className="import-trouble" type="warning" showIcon role="status" title={`${offline ? '网络异常，请检查网络' : '系统异常，请稍后重试'}。已上传的文件和已保存的修改都在，恢复后会自动继续。`} />
}

function WizardStep({ template, unit, batch_no, batch, unsaved, onBatch, onClose }: Props): ReactNode {
  const again = () => onBatch(undefined)
  if (batch_no === undefined) return <StartStep template={template} onBatch={onBatch} />
  if (batch.isError && !batch.data) return <BatchFailed error={batch.error} retry={() => void batch.refetch()} again={again} />
  if (!batch.data) return <Loading rows={10} />
  return <BatchStep batch={batch.data} unit={unit} unsaved={unsaved} again={again} onClose={onClose} />
}

type StepProps = { batch: ImportBatch; unit: string; unsaved: Unsaved; again: () => void; onClose: () => void }

function BatchStep({ batch, unit, unsaved, again, onClose }: StepProps): ReactNode {
  switch (batch.state) {
    case 'uploaded':
    case 'parsing':
    case 'applying':
    case 'undoing':
      return <RunStep batch={batch} onClose={onClose} />
    case 'parsed':
      return <CheckStep batch={batch} unit={unit} unsaved={unsaved} again={again} />
    case 'applied':
      return <ResultStep batch={batch} unit={unit} again={again} onClose={onClose} />
    case 'refused':
    case 'failed':
    case 'expired':
    case 'undone':
      return <EndedStep batch={batch} again={again} />
  }
}

function BatchFailed({ error, retry, again }: { error: Error; retry: () => void; again: () => void }): ReactNode {
  const is_gone = error instanceof CallError && error.status === 404
  return (
    <div className="kit-failed" role="alert">
      <p>{refusalText(error)}</p>
      <div className="import-buttons">
        {!is_gone && <Button type="primary" onClick={retry}>重试</Button>}
        <Button type={is_gone ? 'primary' : 'default'} onClick={again}>{is_gone ? '重新上传' : '返回上传'}</Button>
      </div>
    </div>
  )
}
