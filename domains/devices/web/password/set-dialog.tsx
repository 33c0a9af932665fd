import { DevicePassword, most_digits, passwordApi } from '@campus/devices/contract'
import type { PasswordLine } from '@campus/devices/contract'
import { AppModal, call, leaving, ruleOf, useSaving, validValues } from '@kit/web'
import { Alert, Form, Input } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'

type Values = { password: string; again: string }
type Set = { changed: number; unchanged: number; unsupported: number; offline: number }
const names_shown = 8

/** Gives chosen devices a new password, typed twice. */
export function SetDialog({ chosen, onClose, onDone }: { chosen: readonly Pick<PasswordLine, 'device_id' | 'device_name'>[]; onClose: () => void; onDone: () => void }): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form, { 'devices.passwordDigits': 'password' })
  const [told, tell] = useState<Set | null>(null)
  const names = chosen.slice(0, names_shown).map(line => line.device_name).join('、')
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    if (await run(async () => tell(await call(passwordApi.set, { device_ids: chosen.map(line => line.device_id), password: values.password }, { quiet: true })))) onDone()
  }
  if (told) {
    return (
      <AppModal open width={480} title="密码已设置" okText="关闭" cancelButtonProps={{ hidden: true }} onOk={onClose} onCancel={onClose}>
        <p>{`${told.changed}台设备将更新密码${told.unchanged > 0 ? `，${told.unchanged}台原来就是这个密码` : ''}。`}</p>
        {told.unsupported > 0 && <p className="device-hint">{`${told.unsupported}台没有设备密码，没有改动：此类设备没有自己的设置界面，或还没有连接过。`}</p>}
        {told.offline > 0 && <Alert type="warning" showIcon title={`其中${told.offline}台离线，恢复连接后最先更新，在此之前旧密码仍有效。`} />}
      </AppModal>
    )
  }
  return (
    <AppModal open width={480} title={`设置${chosen.length}台设备的密码`} okText="设置" confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      <Alert type={refused === null ? 'info' : 'warning'} showIcon title={refused ?? '用于进入设备自己的设置界面，请勿使用生日、学校电话等容易猜到的数字。'} />
      <p className="device-hint">{chosen.length > names_shown ? `${names}等` : names}</p>
      <Form form={form} name="device-password" layout="vertical">
        <Form.Item name="password" label="新密码" required rules={[ruleOf(DevicePassword), { max: most_digits, message: '密码最多8位数字' }]} extra="1到8位数字"><Input.Password autoComplete="new-password" inputMode="numeric" /></Form.Item>
        <Form.Item name="again" label="再输入一次" required dependencies={['password']} rules={[({ getFieldValue }) => ({ validator: (_, again) => (again === getFieldValue('password') ? Promise.resolve() : Promise.reject(new Error('两次输入的密码不一致'))) })]}><Input.Password autoComplete="new-password" inputMode="numeric" /></Form.Item>
      </Form>
    </AppModal>
  )
}
