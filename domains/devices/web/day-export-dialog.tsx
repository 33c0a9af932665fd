import { most_export_days } from '@campus/devices/contract'
import { AppModal, schoolToday, toast, useSaving } from '@kit/web'
import { dayjs } from '@kit/web/day'
import { ExportProgress } from '@kit/web/export'
import { Alert, DatePicker, Form, Input } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'

const [day_format, week_days, longest_reason] = ['YYYY-MM-DD', 7, 100] as const
const required = { rules: [{ required: true, message: '请选择日期' }] }
type Values = { from: dayjs.Dayjs; to: dayjs.Dayjs; reason?: string }

/** What an export of some days is asked about; `what`: which rows it will hold, `has_reason`: many of them want a reason. */
export type DayExportQuestion = {
  title: string
  what: string
  kept: string
  has_reason?: boolean
  run: (asked: { from: string; to: string; reason: string }) => Promise<{ job_no: string } | null>
}

/** Asks for the days, the last seven to begin with; what the server does not take stands at its field and stays as it was typed. */
export function DayExportDialog({ title, what, kept, has_reason = false, run, close }: DayExportQuestion & { close: () => void }): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run: save } = useSaving(form)
  const [job_no, setJob] = useState<string | null>(null)
  const start = async () => {
    const values = await form.validateFields().catch(() => null)
    if (!values) return
    await save(async () => {
      const started = await run({ from: values.from.format(day_format), to: values.to.format(day_format), reason: values.reason?.trim() ?? '' })
      if (started) return setJob(started.job_no)
      toast.success('导出完成')
      close()
    })
  }
  if (job_no !== null) return <ExportProgress job_no={job_no} kept={kept} close={close} />
  const today = dayjs(schoolToday())
  const picker = <DatePicker className="kit-fill" maxDate={today} allowClear={false} />
  return (
    <AppModal open width={480} title={title} okText="导出" confirmLoading={busy} onOk={() => void start()} onCancel={close}>
      <Alert type={refused === null ? 'info' : 'error'} showIcon title={refused ?? `将导出${what}。一次最多${most_export_days}天，行数多时在后台生成，完成后下载。导出会记入操作日志。`} />
      <Form form={form} name="day-export" layout="vertical" initialValues={{ from: today.subtract(week_days - 1, 'day'), to: today }}>
        <Form.Item name="from" label="开始日期" required {...required}>{picker}</Form.Item>
        <Form.Item name="to" label="结束日期" required {...required}>{picker}</Form.Item>
        {has_reason && <Form.Item name="reason" label="导出原因" extra="超过 1,000 条时必填"><Input.TextArea rows={2} maxLength={longest_reason} showCount /></Form.Item>}
      </Form>
    </AppModal>
  )
}
