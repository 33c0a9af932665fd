import { importApi } from '@campus/jobs/contract'
import type { ImportBatch } from '@campus/jobs/contract'
import { AppModal, call, instantText } from '@kit/web'
import { UndoOutlined } from '@ant-design/icons'
import { Alert, Button } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { isPassing, refusalText } from '../refusal.ts'
import { undoOf, undoText } from './undo-choice.ts'
import { useKeepBatch, useLookAgain } from './use-batch.ts'

/** 撤销本次导入: says whom it touches, then takes the batch back; only the undoable rows once some turned out to be blocked. */
export function UndoButton({ batch, unit }: { batch: ImportBatch; unit: string }): ReactNode {
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const keep = useKeepBatch()
  const lookAgain = useLookAgain(batch.batch_no)
  const choice = undoOf(batch)
  if (choice === null) return null
  const okText = choice.partial ? '撤销可撤销部分' : '撤销导入'
  const undo = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      keep(await call(importApi.undo, { batch_no: batch.batch_no, partial: choice.partial }))
    } catch (cause) {
      if (isPassing(cause)) setFailure(refusalText(cause))
      else setAsking(false)
      lookAgain()
    } finally {
      setBusy(false)
    }
  }
  const ask = () => {
    setFailure(undefined)
    setAsking(true)
  }
  return (
    <>
      <Button danger icon={<UndoOutlined aria-hidden />} onClick={ask}>{choice.label}</Button>
      <AppModal
        open={asking}
        title={choice.label}
        width={480}
        okText={okText}
        okButtonProps={{ danger: true }}
        confirmLoading={busy}
        onOk={() => void undo()}
        onCancel={() => setAsking(false)}
      >
        <UndoWords batch={batch} unit={unit} />
        {failure && <Alert type="error" showIcon title={failure} description={`稍后再次点击“${okText}”即可，不会重复撤销。`} />}
      </AppModal>
    </>
  )
}

function UndoWords({ batch, unit }: { batch: ImportBatch; unit: string }): ReactNode {
  return (
    <>
      <p>
        <b>{undoText(batch, unit)}</b>
      </p>
      <p className="import-hint">
        导入时新增的人员连同账号、班级、家长关联一并移除，变更的内容恢复为导入之前的样子。导入之后又有变动的行会先列出，不会被覆盖。撤销后不能恢复。
        {batch.rows_blocked > 0 && `其余 ${batch.rows_blocked.toLocaleString('zh-CN')} 行保持不变。`}
        {batch.undo_until && `可撤销至 ${instantText(batch.undo_until)}。`}
      </p>
    </>
  )
}
