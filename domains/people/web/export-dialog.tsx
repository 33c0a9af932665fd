import { reason_above } from '@campus/people/contract'
import { AppModal, sentenceOf, usePage } from '@kit/web'
import { ExportProgress } from '@kit/web/export'
import { useQuery } from '@tanstack/react-query'
import { Alert, Checkbox, Form, Input, Skeleton } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { readExportColumns, startExport } from './export-request.ts'
import type { ExportList } from './export-request.ts'
import { LoadFailed } from './load-failed.tsx'

const titles: Readonly<Record<ExportList, string>> = { student: '导出学生', parent: '导出家长', staff: '导出教职工' }

/** Columns and reason of an export, then its progress; the file is fetched here or from the task center. */
export function ExportDialog({ list, close }: { list: ExportList; close: () => void }): ReactNode {
  const { search } = usePage()
  const [job_no, setJob] = useState<string | null>(null)
  const columns = useQuery({ queryKey: ['export-columns', list], queryFn: ({ signal }) => readExportColumns(list, signal), gcTime: 0 })
  const [taken, take] = useState<string[] | null>(null)
  const [reason, setReason] = useState('')
  const [refusal, setRefusal] = useState<string>()
  const [busy, setBusy] = useState(false)
  const lines = columns.data ?? []
  const fields = taken ?? lines.filter(line => line.checked).map(line => line.prop)
  const start = async () => {
    setBusy(true)
    setRefusal(undefined)
    try {
      setJob(await startExport(list, search, { fields, reason }))
    } catch (cause) {
      setRefusal(sentenceOf(cause))
    } finally {
      setBusy(false)
    }
  }
  if (job_no !== null) return <ExportProgress job_no={job_no} kept="24 小时" close={close} />
  const options = lines.map(({ prop, label }) => ({ value: prop, label }))
  return (
    <AppModal open title={titles[list]} width={520} okText="导出" confirmLoading={busy} okButtonProps={{ disabled: fields.length === 0 }} onOk={() => void start()} onCancel={close}>
      {columns.error && !columns.data && <LoadFailed text={sentenceOf(columns.error)} again={() => void columns.refetch()} />}
      {columns.isPending && <Skeleton active />}
      {columns.data && (
        <Form layout="vertical">
          <Form.Item label="导出列" extra="导出当前筛选和排序下的全部行，证件号、手机号为掩码；下次导出沿用这次的列">
            <Checkbox.Group className="people-export" options={options} value={fields} onChange={take} />
          </Form.Item>
          <Form.Item label="导出原因" htmlFor="export-reason" extra={`超过 ${reason_above.toLocaleString('zh-CN')} 行时必填；导出会记入操作日志`}>
            <Input.TextArea id="export-reason" rows={2} maxLength={200} showCount value={reason} onChange={event => setReason(event.target.value)} />
          </Form.Item>
        </Form>
      )}
      {refusal && <Alert type="error" showIcon title={refusal} />}
    </AppModal>
  )
}
