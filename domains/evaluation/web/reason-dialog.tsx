import { AppModal, leaving, useSaving, validValues } from '@kit/web'
import { Alert, Form, Input } from 'antd'
import type { ReactNode } from 'react'

type Props = {
  title: string
  about?: string
  ok: string
  save: (reason: string) => Promise<unknown>
  onClose: () => void
  onDone: () => void
}

/** An act that asks why. */
export function ReasonDialog({ title, about, ok, save, onClose, onDone }: Props): ReactNode {
  const [form] = Form.useForm<{ reason: string }>()
  const { busy, refused, run } = useSaving(form)
  const send = async () => {
    const values = await validValues(form)
    if (!values || !(await run(() => save(values.reason), `已${ok}`))) return
    onDone()
    onClose()
  }
  return (
    <AppModal
      open
      width={480}
      title={title}
      okText={ok}
      okButtonProps={{ danger: true }}
      confirmLoading={busy}
      onOk={() => void send()}
      onCancel={leaving(form, onClose)}
    >
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      {about !== undefined && <p>{about}</p>}
      <Form form={form} name="star-reason" layout="vertical">
        <Form.Item
          name="reason"
          label="原因"
          rules={[
            { required: true, whitespace: true, message: '请填写原因' },
            { min: 2, message: '原因至少2个字' },
          ]}
        >
          <Input.TextArea rows={2} maxLength={200} showCount />
        </Form.Item>
      </Form>
    </AppModal>
  )
}
