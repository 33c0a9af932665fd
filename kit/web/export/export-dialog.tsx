import { Alert, Form, Input } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { sentenceOf } from '../form/use-saving.ts'
import { AppModal } from '../page/app-modal.tsx'
import { toast } from '../parts/toast.ts'
import { ExportProgress } from './export-progress.tsx'

const direct_rows = 5000
const longest_reason = 100

/** What an export asks before it begins. */
export type ExportQuestion = {
  /** 导出成员 */
  title: string
  /** rows under the filters of the list; absent where the export is no list */
  total?: number
  /** there may be more than that */
  is_bounded?: boolean
  unit?: string
  /** how long the file of a long list is kept */
  kept?: string
  /** from how many rows on a reason must be given: 0 = always, absent = never */
  reason_above?: number
  /** saves the sheet, or answers the job that makes it */
  run: (reason: string) => Promise<{ job_no: string } | null>
}

/** Says what the sheet will hold and asks for a reason where the rules want one. */
export function ExportDialog({ title, total, is_bounded = false, unit = '条', kept = '7 天', reason_above, run, close }: ExportQuestion & { close: () => void }): ReactNode {
  const [reason, setReason] = useState('')
  const [refusal, setRefusal] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [job_no, setJob] = useState<string | null>(null)
  const is_asked = reason_above !== undefined && (reason_above === 0 || (total ?? 0) > reason_above)
  const start = async () => {
    setBusy(true)
    setRefusal(undefined)
    try {
      const started = await run(reason.trim())
      if (started) return setJob(started.job_no)
      toast.success('导出完成')
      close()
    } catch (cause) {
      setRefusal(sentenceOf(cause))
    } finally {
      setBusy(false)
    }
  }
  if (job_no !== null) return <ExportProgress job_no={job_no} kept={kept} close={close} />
  const background = (total ?? 0) > direct_rows ? '在后台生成，完成后下载；' : ''
  const rows = total === undefined ? '' : `将导出当前筛选下的 ${total.toLocaleString('en')}${is_bounded ? '+' : ''} ${unit}，${background}`
  return (
    <AppModal open title={title} width={520} okText="导出" confirmLoading={busy} okButtonProps={{ disabled: is_asked && reason.trim() === '' }} onOk={() => void start()} onCancel={close}>
      <Form layout="vertical">
        {reason_above === undefined ? <p>{rows}导出会记入操作日志。</p> : (
          <Form.Item label="导出原因" htmlFor="export-why" required={is_asked} extra={`${rows}导出会记入操作日志`}>
            <Input.TextArea id="export-why" rows={2} maxLength={longest_reason} showCount value={reason} onChange={event => setReason(event.target.value)} />
          </Form.Item>
        )}
      </Form>
      {refusal && <Alert type="error" showIcon title={refusal} />}
    </AppModal>
  )
}
