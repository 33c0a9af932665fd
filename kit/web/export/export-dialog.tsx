import { Alert, Form, Input } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { sentenceOf } from '../form/use-saving.ts'
import { AppModal } from '../page/app-modal.tsx'
import { toast } from '../parts/toast.ts'

const direct_rows = 5000
const longest_reason = 100

/** What an export asks before it begins. */
export type ExportQuestion = {
  /** 导出成员 */
  title: string
  /** rows under the filters of the list; absent where the export is no list */
  total?: number
  unit?: string
  /** from how many rows on a reason must be given: 0 = always, absent = never */
  reason_above?: number
  run: (reason: string) => Promise<void>
}

/** Says what the sheet will hold and asks for a reason where the rules want one. */
export function ExportDialog({ title, total, unit = '条', reason_above, run, close }: ExportQuestion & { close: () => void }): ReactNode {
  const [reason, setReason] = useState('')
  const [refusal, setRefusal] = useState<string>()
  const [busy, setBusy] = useState(false)
  const is_asked = reason_above !== undefined && (reason_above === 0 || (total ?? 0) > reason_above)
  const is_much = (total ?? 0) > direct_rows
  const start = async () => {
    setBusy(true)
    setRefusal(undefined)
    try {
      await run(reason.trim())
      toast.success('导出完成')
      close()
    } catch (cause) {
      setRefusal(sentenceOf(cause))
    } finally {
      setBusy(false)
    }
  }
  const rows = total === undefined ? '' : `将导出当前筛选下的 ${total.toLocaleString('en')} ${unit}，一次最多 ${direct_rows.toLocaleString('en')} ${unit}；`
  return (
    <AppModal open title={title} width={520} okText="导出" confirmLoading={busy} okButtonProps={{ disabled: is_much || (is_asked && reason.trim() === '') }} onOk={() => void start()} onCancel={close}>
      <Form layout="vertical">
        {reason_above === undefined ? <p>{rows}导出会记入操作日志。</p> : (
          <Form.Item label="导出原因" htmlFor="export-why" required={is_asked} extra={`${rows}导出会记入操作日志`}>
            <Input.TextArea id="export-why" rows={2} maxLength={longest_reason} showCount value={reason} onChange={event => setReason(event.target.value)} />
          </Form.Item>
        )}
      </Form>
      {is_much && <Alert type="warning" showIcon title="行数超过一次导出的上限，请增加筛选条件" />}
      {refusal && <Alert type="error" showIcon title={refusal} />}
    </AppModal>
  )
}
