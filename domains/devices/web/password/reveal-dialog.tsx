import { passwordApi, Reason } from '@campus/devices/contract'
import type { PasswordLine } from '@campus/devices/contract'
import { AppModal, call, leaving, ruleOf, useSaving, validValues } from '@kit/web'
import { Alert, Form, Input } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { devicesPorts } from '../ports.ts'

type Values = { reason: string; own_password: string }
type Told = { password: string; prior_password: string | null }

/** Shows a device's password to who says why and proves his own. */
export function RevealDialog({ line, onClose }: { line: PasswordLine; onClose: () => void }): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form, { 'identity.passwordWrong': 'own_password' })
  const [told, tell] = useState<Told | null>(null)
  const show = async () => {
    const values = await validValues(form)
    if (!values) return
    await run(async () => tell(await call(passwordApi.reveal, { device_id: line.device_id, reason: values.reason, recheck_token: await devicesPorts().recheck(values.own_password) }, { quiet: true })))
  }
  if (told) {
    return (
      <AppModal open width={440} title={`${line.device_name}的密码`} okText="关闭" cancelButtonProps={{ hidden: true }} onOk={onClose} onCancel={onClose}>
        <p className="device-setup">{told.password}</p>
        {told.prior_password !== null && <Alert type="warning" showIcon title={`设备还没有确认新密码，旧密码${told.prior_password}仍有效。`} />}
        <p className="device-hint">本次查看已记入操作日志。</p>
      </AppModal>
    )
  }
  return (
    <AppModal open width={440} title={`查看${line.device_name}的密码`} okText="查看" confirmLoading={busy} onOk={() => void show()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="device-reveal" layout="vertical">
        <Form.Item name="reason" label="原因" required rules={[ruleOf(Reason)]}><Input.TextArea maxLength={200} rows={2} placeholder="例如：现场维护、更换网络" /></Form.Item>
        <Form.Item name="own_password" label="您的登录密码" rules={[{ required: true, message: '请输入您的登录密码' }]}><Input.Password autoComplete="current-password" maxLength={64} /></Form.Item>
      </Form>
    </AppModal>
  )
}
