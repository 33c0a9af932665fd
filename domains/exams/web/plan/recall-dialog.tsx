import { planApi } from '@campus/exams/contract'
import type { ExamRow } from '@campus/exams/contract'
import { AppModal, call, leaving, useSaving } from '@kit/web'
import { Alert, Form, Input } from 'antd'
import type { ReactNode } from 'react'

/** 撤回安排: asks why; everybody who was told hears it. */
export function RecallDialog({ exam, onClose, onDone }: { exam: ExamRow; onClose: () => void; onDone: () => void }): ReactNode {
  const [form] = Form.useForm<{ reason: string }>()
  const { busy, refused, run } = useSaving(form)
  const save = async () => {
    const { reason } = await form.validateFields()
    if (!(await run(() => call(planApi.recall, { exam_id: exam.exam_id, reason }, { quiet: true }), '安排已撤回'))) return
    onDone()
    onClose()
  }
  return (
    <AppModal open width={480} title={`撤回安排：${exam.exam_name}`} okText="撤回" confirmLoading={busy} onOk={() => void save().catch(() => undefined)} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="exam-recall" layout="vertical">
        <Form.Item name="reason" label="原因" required extra="考生和监考教师会收到撤回通知；座位保留，可继续调整" rules={[{ required: true, min: 2, message: '请填写2至200个字的原因' }]}><Input.TextArea rows={3} maxLength={200} showCount /></Form.Item>
      </Form>
    </AppModal>
  )
}
