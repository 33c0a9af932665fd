import { importApi } from '@campus/jobs/contract'
import type { ImportBatch } from '@campus/jobs/contract'
import { downloadFile, instantText } from '@kit/web'
import { CheckCircleFilled, DownloadOutlined, WarningFilled } from '@ant-design/icons'
import { Alert, Button } from 'antd'
import type { ReactNode } from 'react'
import { sayUnreachable } from '../refusal.ts'
import { plannedText } from './batch-stage.ts'
import { RowsView } from './rows-view.tsx'
import { UndoButton } from './undo-button.tsx'

/** After the import: what was written, what was left, and the rows that need another look. */
export function ResultStep({ batch, unit, again, onClose }: { batch: ImportBatch; unit: string; again: () => void; onClose: () => void }): ReactNode {
  const about = [batch.file_name, batch.applied_at ? instantText(batch.applied_at) : '', batch.created_by_name, `计划${plannedText(batch, '行')}`]
  const has_left = batch.rows_error + batch.rows_recheck > 0 || batch.message !== null
  return (
    <div className="import-result">
      <h3>
        {batch.message === null ? <CheckCircleFilled className="import-good" aria-hidden /> : <WarningFilled className="import-halted" aria-hidden />}
        {` ${batch.message ?? '导入完成'}`}
      </h3>
      <p className="import-file">{about.filter((text) => text !== '').join('　')}</p>
      {batch.message !== null && <p className="import-hint">其余的行没有写入。下载错误表可以得到这些行，修改后重新上传即可；已写入的行会显示为未变。</p>}
      <dl className="import-counts">
        <Count label="已写入" count={batch.rows_applied} />
        <Count label="需重新核对" count={batch.rows_recheck} bad />
        <Count label="未变" count={batch.rows_same} />
        <Count label="已忽略" count={batch.rows_skipped} />
      </dl>
      <div className="import-buttons">
        <Button type="primary" onClick={onClose}>完成</Button>
        <Button onClick={again}>继续导入</Button>
        {has_left && (
          <Button icon={<DownloadOutlined />} onClick={() => void downloadFile(importApi.errorSheet, { batch_no: batch.batch_no }).catch(sayUnreachable)}>
            下载错误表
          </Button>
        )}
        <UndoButton batch={batch} unit={unit} />
      </div>
      {batch.undo_message !== null && <Alert type="warning" showIcon title={batch.undo_message} />}
      {batch.rows_blocked > 0 && <BlockedRows batch={batch} />}
      {batch.rows_recheck > 0 && (
        <>
          <p className="import-hint">以下行的数据在核对之后有变动，没有写入。请下载错误表，核对后重新导入这些行。</p>
          <RowsView batch={batch} pick="recheck" all={false} />
        </>
      )}
    </div>
  )
}

/** Rows that an undo cannot take back, with the reason. */
export function BlockedRows({ batch }: { batch: ImportBatch }): ReactNode {
  return (
    <>
      <p className="import-hint">{`以下 ${batch.rows_blocked.toLocaleString('zh-CN')} 行在导入之后又有变动，不能撤销。`}</p>
      <RowsView batch={batch} pick="blocked" all={false} />
    </>
  )
}

function Count({ label, count, bad }: { label: string; count: number; bad?: boolean }): ReactNode {
  return (
    <div>
      <dt>{label}</dt>
      <dd className={bad && count > 0 ? 'kit-bad' : undefined}>{count.toLocaleString('zh-CN')}</dd>
    </div>
  )
}
