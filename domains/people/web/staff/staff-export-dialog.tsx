import { duties, reason_above, staff_export_fields, staffExportApi } from '@campus/people/contract'
import type { StaffExportField } from '@campus/people/contract'
import { AppModal, call, sentenceOf, usePage } from '@kit/web'
import type { PageSearch } from '@kit/web'
import { ExportProgress } from '@kit/web/export'
import { Alert, Checkbox, Form, Input } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { OwnColumns, useOwnColumns } from '../field/export-columns.tsx'

const names = Object.keys(staff_export_fields).filter((name): name is StaffExportField => name in staff_export_fields)

/** Columns and reason of an export, then its progress; the file is fetched here or from the task center. */
export function StaffExportDialog({ close }: { close: () => void }): ReactNode {
  const { search } = usePage()
  const [job_no, setJob] = useState<string | null>(null)
  const [fields, setFields] = useState<StaffExportField[]>(names)
  const [left_out, leaveOut] = useState<string[]>([])
  const own = useOwnColumns('staff', left_out)
  const [reason, setReason] = useState('')
  const [refusal, setRefusal] = useState<string>()
  const [busy, setBusy] = useState(false)
  const start = async () => {
    setBusy(true)
    setRefusal(undefined)
    try {
      setJob(await startExport(search, fields, own, reason))
    } catch (cause) {
      setRefusal(sentenceOf(cause))
    } finally {
      setBusy(false)
    }
  }
  if (job_no !== null) return <ExportProgress job_no={job_no} kept="24 小时" close={close} />
  const options = names.map(value => ({ value, label: staff_export_fields[value] }))
  return (
    <AppModal open title="导出教职工" width={520} okText="导出" confirmLoading={busy} okButtonProps={{ disabled: fields.length + own.length === 0 }} onOk={() => void start()} onCancel={close}>
      <Form layout="vertical">
        <Form.Item label="导出列" extra="导出当前筛选和排序下的全部行，手机号为掩码">
          <Checkbox.Group className="people-export" options={options} value={fields} onChange={setFields} />
          <OwnColumns facet="staff" left_out={left_out} onChange={leaveOut} />
        </Form.Item>
        <Form.Item label="导出原因" htmlFor="export-reason" extra={`超过 ${reason_above.toLocaleString('zh-CN')} 行时必填；导出会记入操作日志`}>
          <Input.TextArea id="export-reason" rows={2} maxLength={200} showCount value={reason} onChange={event => setReason(event.target.value)} />
        </Form.Item>
      </Form>
      {refusal && <Alert type="error" showIcon title={refusal} />}
    </AppModal>
  )
}

/** Asks for the export of the list as the address filters it. */
async function startExport(search: PageSearch, fields: readonly StaffExportField[], own: readonly `ext.${string}`[], reason: string): Promise<string> {
  const { dept_id, keyword, kind, state, subject, title, tag_ids, ext } = search
  const duty = duties.find(one => one === search.duty)
  const chosen = names.filter(name => fields.includes(name))
  return (await call(staffExportApi.export, { dept_id, keyword, kind, state, subject, title, tag_ids, ext, duty, include_sub: '1', fields: [...chosen, ...own], reason }, { quiet: true })).job_no
}
