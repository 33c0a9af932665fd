import { reason_above } from '@campus/people/contract'
import { AppModal, CallError, usePage } from '@kit/web'
import { ExportProgress } from '@kit/web/export'
import { Alert, Checkbox, Form, Input } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { OwnColumns, useOwnColumns } from './field/export-columns.tsx'
import { exportFields, startExport } from './export-request.ts'
import type { RecordTab } from './record-search.ts'

/** Columns and reason of an export, then its progress; the file is fetched here or from the task center. */
export function ExportDialog({ tab, close }: { tab: RecordTab; close: () => void }): ReactNode {
  const { search } = usePage()
  const [job_no, setJob] = useState<string | null>(null)
  const [fields, setFields] = useState<string[]>(() => Object.keys(exportFields(tab)))
  const [left_out, leaveOut] = useState<string[]>([])
  const facet = tab === 'student' ? tab : null
  const own = useOwnColumns(facet, left_out)
  const [reason, setReason] = useState('')
  const [refusal, setRefusal] = useState<string>()
  const [busy, setBusy] = useState(false)
  const start = async () => {
    setBusy(true)
    setRefusal(undefined)
    try {
      setJob(await startExport(tab, search, { fields, own, reason }))
    } catch (cause) {
      setRefusal(cause instanceof CallError && cause.msg !== '' ? cause.msg : '网络异常，请检查网络')
    } finally {
      setBusy(false)
    }
  }
  if (job_no !== null) return <ExportProgress job_no={job_no} kept="24 小时" close={close} />
  const options = Object.entries(exportFields(tab)).map(([value, label]) => ({ value, label }))
  return (
    <AppModal open title={tab === 'student' ? '导出学生' : '导出家长'} width={520} okText="导出" confirmLoading={busy} okButtonProps={{ disabled: fields.length + own.length === 0 }} onOk={() => void start()} onCancel={close}>
      <Form layout="vertical">
        <Form.Item label="导出列" extra="导出当前筛选和排序下的全部行，证件号、手机号为掩码">
          <Checkbox.Group className="people-export" options={options} value={fields} onChange={setFields} />
          {facet && <OwnColumns facet={facet} left_out={left_out} onChange={leaveOut} />}
        </Form.Item>
        <Form.Item label="导出原因" htmlFor="export-reason" extra={`超过 ${reason_above.toLocaleString('zh-CN')} 行时必填；导出会记入操作日志`}>
          <Input.TextArea id="export-reason" rows={2} maxLength={200} showCount value={reason} onChange={event => setReason(event.target.value)} />
        </Form.Item>
      </Form>
      {refusal && <Alert type="error" showIcon title={refusal} />}
    </AppModal>
  )
}
