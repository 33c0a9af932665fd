import { AppModal, useSaving, validValues } from '@kit/web'
import { Alert, Form, Input } from 'antd'
import type { ReactNode } from 'react'

type Props = { title: string; ok: string; danger?: boolean; about: ReactNode; act: (password: string) => Promise<unknown>; done: string; onClose: () => void }

/** A step that needs the own password typed again. */
export function PasswordDialog({ title, ok, danger = false, about, act, done, onClose }: Props): ReactNode {
  const [form] = Form.useForm<{ password: string }>()
  const { busy, refused, run } = useSaving(form, { 'identity.passwordWrong': 'password' })
  const submit = async () => {
    const values = await validValues(form)
    if (values && (await run(() => act(values.password), done))) onClose()
  }
  return (
    <AppModal open title={title} okText={ok} okButtonProps={{ danger }} confirmLoading={busy} onOk={() => void submit()} onCancel={onClose}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <p>{about}</p>
      <Form form={form} layout="vertical" onFinish={() => void submit()}>
        <Form.Item name="password" label="您的登录密码" rules={[{ required: true, message: '请输入您的登录密码' }]}>
          <Input.Password autoComplete="current-password" maxLength={64} />
        </Form.Item>
      </Form>
    </AppModal>
  )
}
