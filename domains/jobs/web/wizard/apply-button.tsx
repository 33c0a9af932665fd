import { importApi } from '@campus/jobs/contract'
import type { ImportBatch } from '@campus/jobs/contract'
import { AppModal, call } from '@kit/web'
import { Alert, Button, Checkbox } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { isPassing, refusalText } from '../refusal.ts'
import { plannedText } from './batch-stage.ts'
import { unreadText } from './batch-told.ts'
import { useKeepBatch, useLookAgain } from './use-batch.ts'

type Props = {
  batch: ImportBatch
  unit: string
  /** cells whose text has not reached the server */
  unsaved: number
}

/** 确认导入: says why it cannot, or what it is going to do, and then does it. Without an answer the dialog stays, to try again. */
export function ApplyButton({ batch, unit, unsaved }: Props): ReactNode {
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [accepted, setAccepted] = useState(false)
  const keep = useKeepBatch()
  const lookAgain = useLookAgain(batch.batch_no)
  const hindrance = hindranceOf(batch, unsaved)
  const planned = plannedText(batch, unit)
  const has_unread = batch.unread.length > 0
  const apply = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      keep(await call(importApi.apply, { batch_no: batch.batch_no, ...(has_unread ? { accept_unread: accepted } : {}) }))
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
    setAccepted(false)
    setAsking(true)
  }
  return (
    <>
      <span className={batch.rows_error + unsaved > 0 ? 'import-plan kit-bad' : 'import-plan'}>{hindrance ?? `将${planned}`}</span>
      <Button type="primary" disabled={hindrance !== null} onClick={ask}>确认导入</Button>
      <AppModal open={asking} title="确认导入" width={440} okText="确认导入" confirmLoading={busy} okButtonProps={{ disabled: has_unread && !accepted }} onOk={() => void apply()} onCancel={() => setAsking(false)}>
        <p>
          将<b>{planned}</b>。
        </p>
        <p className="import-hint">{leftText(batch)}</p>
        {has_unread && <Checkbox checked={accepted} onChange={(event) => setAccepted(event.target.checked)}>{`不导入这些工作表：${unreadText(batch)}`}</Checkbox>}
        {failure && <Alert type="error" showIcon title={failure} description="稍后再次点击“确认导入”即可，不会重复导入。" />}
      </AppModal>
    </>
  )
}

function hindranceOf(batch: ImportBatch, unsaved: number): string | null {
  if (unsaved > 0) return `还有 ${unsaved} 处修改未保存`
  if (batch.rows_error > 0) return `还有 ${batch.rows_error.toLocaleString('zh-CN')} 行错误，请修改或忽略后再导入`
  return batch.rows_new + batch.rows_change === 0 ? '没有需要写入的行' : null
}

function leftText(batch: ImportBatch): string {
  const parts = [
    batch.rows_same > 0 ? `未变 ${batch.rows_same.toLocaleString('zh-CN')} 行` : '',
    batch.rows_skipped > 0 ? `已忽略 ${batch.rows_skipped.toLocaleString('zh-CN')} 行` : '',
  ].filter((part) => part !== '')
  const left = parts.length > 0 ? `${parts.join('、')}不会写入。` : ''
  const warned = batch.rows_warn > 0 ? `有 ${batch.rows_warn.toLocaleString('zh-CN')} 行带警告，仍会写入。` : ''
  return `${left}${warned}导入在后台进行，可以离开此页面。`
}
