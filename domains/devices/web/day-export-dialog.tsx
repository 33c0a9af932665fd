import { most_export_days } from '@campus/devices/contract'
import { AppModal, schoolToday, toast, useSaving, validValues } from '@kit/web'
import { dayjs } from '@kit/web/day'
import { ExportProgress } from '@kit/web/export'
import { Alert, DatePicker, Form, Input } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useRowCount } from './use-row-count.ts'
import type { DayAsked } from './use-row-count.ts'
import './devices.css'

const [day_format, week_days, longest_reason] = ['YYYY-MM-DD', 7, 100] as const
const required = { rules: [{ required: true, message: '请选择日期' }] }
type Values = { from: dayjs.Dayjs; to: dayjs.Dayjs; reason?: string; filters?: Filters }
/** What else rows are looked for by, by the names of the call. */
type Filters = Readonly<Record<string, string | undefined>>

/** What an export of some days is asked about; `what`: which rows it will hold. */
export type DayExportQuestion = {
  title: string
  what: string
  kept: string
  /** the fields of filters, named `['filters', …]`, and with what they begin */
  fields?: ReactNode
  initial?: Filters
  /** how many rows it would be, of how many an export holds at most, and from how many on they want a reason */
  count?: { read: (asked: DayAsked, signal: AbortSignal) => Promise<number>; most: number; reason_above: number }
  run: (asked: DayAsked & { reason: string }) => Promise<{ job_no: string } | null>
}

/** Asks for the days, the last seven to begin with; what the server does not take stands at its field and stays as it was typed. */
export function DayExportDialog({ title, what, kept, fields, initial, count, run, close }: DayExportQuestion & { close: () => void }): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run: save } = useSaving(form)
  const [job_no, setJob] = useState<string | null>(null)
  const today = dayjs(schoolToday())
  const begin: Values = { from: today.subtract(week_days - 1, 'day'), to: today, filters: initial ?? {} }
  const rows = useRowCount(title, askedOf(Form.useWatch<Values>([], form) ?? begin), count?.read)
  const is_why_wanted = count !== undefined && (rows ?? 0) > count.reason_above
  const start = async () => {
    const values = await validValues(form)
    if (!values) return
    await save(async () => {
      const started = await run({ ...askedOf(values), reason: values.reason?.trim() ?? '' })
      if (started) return setJob(started.job_no)
      toast.success('导出完成')
      close()
    })
  }
  if (job_no !== null) return <ExportProgress job_no={job_no} kept={kept} close={close} />
  const picker = <DatePicker className="kit-fill" maxDate={today} allowClear={false} />
  return (
    <AppModal open width={560} title={title} okText="导出" confirmLoading={busy} okButtonProps={{ disabled: rows === 0 }} onOk={() => void start()} onCancel={close}>
      <Alert type={refused === null ? 'info' : 'error'} showIcon title={refused ?? `${rowsText(what, rows, count?.most)}一次最多${most_export_days}天，行数多时在后台生成，完成后下载。导出会记入操作日志。`} />
      <Form form={form} name="day-export" layout="vertical" initialValues={begin}>
        <div className="device-pair">
          <Form.Item name="from" label="开始日期" required {...required}>{picker}</Form.Item>
          <Form.Item name="to" label="结束日期" required {...required}>{picker}</Form.Item>
          {fields}
        </div>
        {count && <Form.Item name="reason" label="导出原因" required={is_why_wanted} extra={`超过 ${count.reason_above.toLocaleString('en')} 条时必填`}><Input.TextArea rows={2} maxLength={longest_reason} showCount /></Form.Item>}
      </Form>
    </AppModal>
  )
}

/** As the call asks for it; of what was not chosen nothing is said, and of a day that is being typed neither. */
function askedOf({ from, to, filters = {} }: Partial<Values>): DayAsked {
  const chosen = Object.entries(filters).flatMap(([name, value]) => (value === undefined || value.trim() === '' ? [] : [[name, value.trim()]]))
  return { from: from?.format(day_format) ?? '', to: to?.format(day_format) ?? '', filters: Object.fromEntries(chosen) }
}

/** How many rows it will be, as far as that is known. */
function rowsText(what: string, rows: number | null, most: number | undefined): string {
  if (rows === null || most === undefined) return `将导出${what}。`
  if (rows === 0) return `没有符合条件的${what}，请修改日期或条件。`
  return rows > most ? `${what}超过 ${most.toLocaleString('en')} 条，请缩小范围。` : `将导出 ${rows.toLocaleString('en')} 条${what}。`
}
