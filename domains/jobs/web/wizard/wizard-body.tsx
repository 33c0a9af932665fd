import type { ImportBatch } from '@campus/jobs/contract'
import { CallError } from '@kit/web'
import type { UseQueryResult } from '@tanstack/react-query'
import { Button, Skeleton } from 'antd'
import type { ReactNode } from 'react'
import { CheckStep } from './check-step.tsx'
import { EndedStep } from './ended-step.tsx'
import { ResultStep } from './result-step.tsx'
import { RunStep } from './run-step.tsx'
import { StartStep } from './start-step.tsx'

type Props = {
  template: string
  unit: string
  batch_no: string | undefined
  batch: UseQueryResult<ImportBatch>
  onBatch: (batch_no: string | undefined) => void
  onClose: () => void
}

/** The step a batch stands on. */
export function WizardBody({ template, unit, batch_no, batch, onBatch, onClose }: Props): ReactNode {
  const again = () => onBatch(undefined)
  if (batch_no === undefined) return <StartStep template={template} onBatch={onBatch} />
  if (batch.isError && !batch.data) return <BatchFailed error={batch.error} retry={() => void batch.refetch()} again={again} />
  if (!batch.data) return <Skeleton active paragraph={{ rows: 8 }} />
  return <BatchStep batch={batch.data} unit={unit} again={again} onClose={onClose} />
}

function BatchStep({ batch, unit, again, onClose }: { batch: ImportBatch; unit: string; again: () => void; onClose: () => void }): ReactNode {
  switch (batch.state) {
    case 'uploaded':
    case 'parsing':
    case 'applying':
    case 'undoing':
      return <RunStep batch={batch} onClose={onClose} />
    case 'parsed':
      return <CheckStep batch={batch} unit={unit} again={again} />
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
  const msg = error instanceof CallError && error.msg !== '' ? error.msg : '网络异常，请检查网络'
  return (
    <div className="kit-failed" role="alert">
      <p>{msg}</p>
      <div className="import-buttons">
        <Button onClick={retry}>重试</Button>
        <Button type="primary" onClick={again}>重新上传</Button>
      </div>
    </div>
  )
}
