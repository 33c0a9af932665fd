import { exam_fields, examApi, examErrors } from '@campus/exams/contract'
import type { ExamRow } from '@campus/exams/contract'
import { AppModal, call, leaving, ruleOf, useSaving } from '@kit/web'
import type { dayjs } from '@kit/web/day'
import { Alert, DatePicker, Form, Input } from 'antd'
import type { ReactNode } from 'react'

type Props = { exam: ExamRow; onClose: () => void; onDone: (exam: ExamRow) => void }
const homes = { [examErrors.nameTaken.id]: 'exam_name', [examErrors.outsideTerm.id]: 'begin' }

/** 复制: settings, papers, sessions and rooms of an exam for other days. */
export function CopyDialog({ exam, onClose, onDone }: Props): ReactNode {
  const [form] = Form.useForm<{ exam_name: string; begin: ReturnType<typeof dayjs> }>()
  const { busy, refused, run } = useSaving(form, homes)
  const save = async () => {
    const { exam_name, begin } = await form.validateFields()
    const send = async () => onDone((await call(examApi.copy, { exam_id: exam.exam_id, exam_name, begin_date: begin.format('YYYY-MM-DD') }, { quiet: true })).row)
    if (await run(send, '已复制')) onClose()
  }
  return (
    <AppModal open width={480} title={`复制考试：${exam.exam_name}`} okText="复制" confirmLoading={busy} onOk={() => void save().catch(() => undefined)} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="exam-copy" layout="vertical" initialValues={{ exam_name: `${exam.exam_name}（副本）`.slice(0, 50) }}>
        <Form.Item name="exam_name" label="考试名称" required rules={[ruleOf(exam_fields.exam_name)]}><Input maxLength={50} showCount /></Form.Item>
        <Form.Item name="begin" label="开始日期" required extra="场次按相同间隔后移，考生名单需重新更新" rules={[{ required: true, message: '请选择开始日期' }]}><DatePicker className="kit-fill" /></Form.Item>
      </Form>
    </AppModal>
  )
}

/** 取消考试: asks why. */
export function CancelDialog({ exam, onClose, onDone }: Props): ReactNode {
  const [form] = Form.useForm<{ reason: string }>()
  const { busy, refused, run } = useSaving(form)
  const save = async () => {
    const { reason } = await form.validateFields()
    if (!(await run(async () => onDone((await call(examApi.cancel, { exam_id: exam.exam_id, reason }, { quiet: true })).row), '已取消'))) return
    onClose()
  }
  return (
    <AppModal open width={480} title={`取消考试：${exam.exam_name}`} okText="取消考试" okButtonProps={{ danger: true }} confirmLoading={busy} onOk={() => void save().catch(() => undefined)} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="exam-cancel" layout="vertical">
        <Form.Item name="reason" label="原因" required extra="座位、考场和监考一并释放" rules={[{ required: true, min: 2, message: '请填写2至200个字的原因' }]}><Input.TextArea rows={3} maxLength={200} showCount /></Form.Item>
      </Form>
    </AppModal>
  )
}
