import type { ExamPlan, SessionDraft } from '@campus/exams/contract'
import { AppModal, leaving } from '@kit/web'
import { dayjs } from '@kit/web/day'
import { DatePicker, Form, Input, Select, TimePicker } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'

type Day = ReturnType<typeof dayjs>
type Values = { session_name: string; day: Day; hours: [Day, Day]; paper_ids: string[] }
type Props = { plan: ExamPlan; session: SessionDraft | null; nameOf: (paper_id: string) => string; save: (next: SessionDraft[], done: string) => Promise<unknown>; onClose: () => void }

/** One session: name, time, papers. */
export function SessionDialog({ plan: { exam, papers, sessions }, session, nameOf, save, onClose }: Props): ReactNode {
  const [form] = Form.useForm<Values>()
  const [busy, wait] = useState(false)
  const taken = new Set(sessions.filter(one => one.session_id !== session?.session_id).flatMap(one => one.paper_ids))
  const send = async () => {
    const { session_name, day, hours: [from, to], paper_ids } = await form.validateFields()
    const at = (time: Day) => dayjs(`${day.format('YYYY-MM-DD')}T${time.format('HH:mm')}:00+08:00`).toISOString()
    const next: SessionDraft = { session_id: session?.session_id ?? null, session_name, begin_at: at(from), end_at: at(to), paper_ids }
    wait(true)
    const kept = sessions.filter(one => one.session_id !== session?.session_id)
    const answer = await save([...kept, next], '场次已保存')
    wait(false)
    if (answer !== undefined) onClose()
  }
  const initial = session ? { ...session, day: dayjs(session.begin_at), hours: [dayjs(session.begin_at), dayjs(session.end_at)] } : { day: dayjs(exam.begin_date), paper_ids: [] }
  return (
    <AppModal open width={520} title={session ? `编辑场次：${session.session_name}` : '新增场次'} okText="保存" confirmLoading={busy} onOk={() => void send().catch(() => wait(false))} onCancel={leaving(form, onClose)}>
      <Form form={form} name="exam-session" layout="vertical" className="exam-fields" initialValues={initial}>
        <Form.Item name="session_name" label="场次名称" required className="exam-wide" rules={[{ required: true, message: '请填写场次名称' }]}><Input maxLength={30} showCount /></Form.Item>
        <Form.Item name="day" label="日期" required rules={[{ required: true, message: '请选择日期' }]}><DatePicker className="kit-fill" allowClear={false} minDate={dayjs(exam.begin_date)} maxDate={dayjs(exam.end_date)} /></Form.Item>
        <Form.Item name="hours" label="时间" required rules={[{ required: true, message: '请选择时间' }]}><TimePicker.RangePicker className="kit-fill" format="HH:mm" minuteStep={5} needConfirm={false} /></Form.Item>
        <Form.Item name="paper_ids" label="科目" required className="exam-wide" rules={[{ required: true, message: '请选择科目' }]}>
          <Select mode="multiple" showSearch={{ optionFilterProp: 'label' }} options={papers.map(one => ({ value: one.paper_id, label: nameOf(one.paper_id), disabled: taken.has(one.paper_id) }))} />
        </Form.Item>
      </Form>
    </AppModal>
  )
}
