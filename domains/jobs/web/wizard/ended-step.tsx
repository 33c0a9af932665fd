import type { ImportBatch } from '@campus/jobs/contract'
import { Alert, Button } from 'antd'
import type { ReactNode } from 'react'
import { endingOf } from './batch-told.ts'
import { BlockedRows } from './result-step.tsx'

/** A batch nobody can go on with: refused, failed, expired or taken back. */
export function EndedStep({ batch, again }: { batch: ImportBatch; again: () => void }): ReactNode {
  const { tone, title, advice } = endingOf(batch)
  return (
    <div className="import-ended">
      <div className="import-run">
        <Alert type={tone} showIcon title={title} description={advice} />
        <p className="import-file">{batch.file_name}</p>
        <div className="import-buttons">
          <Button type="primary" onClick={again}>{batch.state === 'undone' ? '继续导入' : '重新上传'}</Button>
        </div>
      </div>
      {batch.rows_blocked > 0 && <BlockedRows batch={batch} />}
    </div>
  )
}
