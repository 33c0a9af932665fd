import { changeApi } from '@campus/teaching/contract'
import type { ChangeOrder } from '@campus/teaching/contract'
import { AppModal, call, leaving, useSaving, validValues } from '@kit/web'
import { Alert, Form, Input } from 'antd'
import type { ReactNode } from 'react'

/** 驳回: what a teacher asked for is not done, and why. */
export function RefuseDialog({ order, onClose, onDone }: { order: ChangeOrder; onClose: () => void; onDone: () => void }): ReactNode {
  const [form] = Form.useForm<{ text: string }>()
  const { busy, refused, run } = useSaving(form)
  const save = async () => {
    const values = await validValues(form)
    if (!values || !(await run(() => call(changeApi.refuse, { id: order.id, ...values }, { quiet: true }), '已驳回，申请人会收到通知'))) return
    onDone()
    onClose()
  }
  return (
    <AppModal open title={`驳回 ${order.order_no}`} okText="驳回" confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form,
      onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <p>{order.date} 第{order.section}节 {order.class_name} {order.course_name}，申请人 {order.by_name}：{order.reason}</p>
      <Form form={form} name="refuse-change" layout="vertical">
        <Form.Item name="text" label="驳回原因" rules={[{ required: true, whitespace: true,
          message: '请填写驳回的原因' }]}><Input.TextArea maxLength={200}
          showCount rows={3} /></Form.Item>
      </Form>
    </AppModal>
  )
}
