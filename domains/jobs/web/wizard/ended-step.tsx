import type { ImportBatch } from '@campus/jobs/contract'
import { Alert, Button } from 'antd'
import type { ReactNode } from 'react'
import { batchStates } from './batch-stage.ts'
import { adviceFor } from './file-check.ts'
import { BlockedRows } from './result-step.tsx'

/** A batch nobody can go on with: refused, failed, expired or taken back. */
export function EndedStep({ batch, again }: { batch: ImportBatch; again: () => void }): ReactNode {
  const is_bad = batch.state === 'refused' || batch.state === 'failed'
  return (
    <div className="import-run">
      <Alert type={is_bad ? 'error' : 'info'} showIcon title={endedText(batch)} description={is_bad ? adviceOf(batch) : undefined} />
      <p className="import-file">{batch.file_name}</p>
      <div className="import-buttons">
        <Button type="primary" onClick={again}>重新上传</Button>
      </div>
      {batch.rows_blocked > 0 && <BlockedRows batch={batch} />}
    </div>
  )
}

function endedText(batch: ImportBatch): string {
  if (batch.state === 'undone') return batch.undo_message ?? '该批次已整批撤销'
  if (batch.message !== null) return batch.message
  if (batch.state === 'expired') return '该批次超过 7 天未确认，已过期，请重新上传'
  return batchStates[batch.state].label
}

function adviceOf(batch: ImportBatch): string {
  if (batch.rows_applied > 0) return `已写入 ${batch.rows_applied.toLocaleString('zh-CN')} 行；重新上传同一文件，已写入的行会显示为未变。`
  return adviceFor(batch.message ?? '')
}
