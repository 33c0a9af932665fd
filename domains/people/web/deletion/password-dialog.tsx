import { AppModal, leaving, useSaving, validValues } from '@kit/web'
import { Alert, Form, Input } from 'antd'
import type { ReactNode } from 'react'
import { peoplePorts } from '../ports.ts'

type Values = { password: string; reason?: string }
type Props = {
  title: string
  /** what it will touch */
  touches: ReactNode
  ok: string
  done: string
  asks_reason?: boolean
  run: (proof: { recheck_token: string; reason: string }) => Promise<unknown>
  onClose: () => void
  onDone: () => void
}

const longest_reason = 200

/** Asks for the own password, and for a reason where one is wanted, before something that cannot be taken back. */
export function PasswordDialog({ title, touches, ok, done, asks_reason = false, run, onClose, onDone }: Props): ReactNode {
  const [form] = Form.useForm<Values>()
  const saving = useSaving(form, { 'identity.passwordWrong': 'password' })
  const act = async () => {
    const values = await validValues(form)
    if (!values) return
    const change = async () => run({ recheck_token: await peoplePorts().recheck(values.password), reason: values.reason?.trim() ?? '' })
    if (await saving.run(change, done)) {
      onDone()
      onClose()
    }
  }
  return (
    <AppModal open title={title} width={520} okText={ok} okButtonProps={{ danger: true }} confirmLoading={saving.busy} onOk={() => void act()} onCancel={asks_reason ? leaving(form, onClose) : onClose}>
      {saving.refused !== null && <Alert className="delete-refused" type="error" showIcon title={saving.refused} />}
      <div className="delete-touches">{touches}</div>
      <Form form={form} layout="vertical">
        {asks_reason && (
          <Form.Item name="reason" label="删除原因" rules={[{ required: true, whitespace: true, message: '请填写删除原因' }]}>
            <Input.TextArea rows={2} maxLength={longest_reason} showCount placeholder="例如：已毕业满三年" />
          </Form.Item>
        )}
        <Form.Item name="password" label="登录密码" rules={[{ required: true, message: '请输入登录密码' }]} extra="删除后不能恢复，请再次输入您的登录密码">
          <Input.Password autoComplete="current-password" />
        </Form.Item>
      </Form>
    </AppModal>
  )
}
