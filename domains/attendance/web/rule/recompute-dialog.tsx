import { recomputeApi } from '@campus/attendance/contract'
import type { Run } from '@campus/attendance/contract'
import { AppModal, call, JobProgress, jobRuns, schoolToday, useJob, useSaving, validValues } from '@kit/web'
import { useCall } from '@kit/web/part'
import { Alert, DatePicker, Form, Radio } from 'antd'
import { dayjs } from '@kit/web/day'
import type { Dayjs } from 'dayjs'
import { useState } from 'react'
import type { ReactNode } from 'react'

type Values = { days: [Dayjs, Dayjs]; mode: Run['mode'] }
const modes = [{ value: 'normal', label: '只重算有变化的' }, { value: 'force', label: '全部重算' }, { value: 'verify', label: '只核对，不改写' }]

/** 重算考勤: judges days again as a job; a verification writes nothing. */
export function RecomputeDialog({ onClose }: { onClose: () => void }): ReactNode {
  const [form] = Form.useForm<Values>()
  const [run, follow] = useState<Run>()
  const saving = useSaving(form)
  const send = async ({ days: [from, to], mode }: Values) => {
    const asked = { date_from: from.format('YYYY-MM-DD'), date_to: to.format('YYYY-MM-DD'), mode }
    const started = await call(recomputeApi.start, asked, { quiet: true })
    follow(started.run)
  }
  const start = async () => {
    const values = await validValues(form)
    if (values) await saving.run(() => send(values))
  }
  const today = dayjs(schoolToday())
  return (
    <AppModal open width={560} title="重算考勤" okText="开始重算" confirmLoading={saving.busy} onOk={() => void start()} onCancel={onClose}>
      {saving.refused !== null && <Alert type="warning" showIcon title={saving.refused} />}
      <p>考勤随打卡、请假、课表自动更新，一般不需要手工重算。已封存的月份不会改写。</p>
      <Form form={form} name="attend-recompute" layout="vertical" initialValues={{ days: [today.subtract(6, 'day'), today], mode: 'normal' }}>
        <Form.Item name="days" label="日期" rules={[{ required: true, message: '请选择日期' }]}><DatePicker.RangePicker className="kit-fill" allowClear={false} maxDate={today} /></Form.Item>
        <Form.Item name="mode" label="方式"><Radio.Group options={modes} /></Form.Item>
      </Form>
      {run && <Progress key={run.run_id} run={run} />}
    </AppModal>
  )
}

function Progress({ run }: { run: Run }): ReactNode {
  const job = useJob(run.job_no)
  const is_over = job !== undefined && !jobRuns(job)
  const { data } = useCall(recomputeApi.read, { id: run.run_id }, { enabled: is_over })
  return (
    <>
      {job && <JobProgress job={job} />}
      {data && <p role="status">共 {data.run.units_done}个单元，{data.run.mode === 'verify' ? '不一致' : '变化'} {data.run.changed}条</p>}
    </>
  )
}
