import { readerApi } from '@campus/devices/contract'
import { AppModal, call, leaving, useSaving, validValues } from '@kit/web'
import { readNumber } from '@kit/web/number'
import { Alert, Checkbox, Form, Input, InputNumber } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'

type Values = { sector: number; key: string; renew_pairing: boolean }
const initial: Values = { sector: 1, key: '', renew_pairing: false }

/** Takes the key of social cards, and tells with what the school's readers are paired. */
export function SocialDialog({ onClose }: { onClose: () => void }): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form)
  const [pairing, tell] = useState<string | null>(null)
  const save = async () => {
    const values = await validValues(form)
    if (values) await run(async () => tell((await call(readerApi.social_key, values, { quiet: true })).pairing))
  }
  if (pairing !== null) {
    return (
      <AppModal open width={520} title="密钥已保存" okText="关闭" cancelButtonProps={{ hidden: true }} onOk={onClose} onCancel={onClose}>
        <p>在每台读卡电脑的读卡服务中填写下面的配对密钥。读卡服务用它解开每次读卡的密钥，网页和浏览器都看不到社保卡密钥。</p>
        <p className="device-setup">{pairing}</p>
      </AppModal>
    )
  }
  return (
    <AppModal open width={440} title="社保卡密钥" okText="保存" confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      <Alert type={refused === null ? 'info' : 'warning'} showIcon title={refused ?? '密钥加密保存，之后不再显示；读卡时只以密文发给读卡服务，60秒内有效，用一次作废。'} />
      <Form form={form} name="social-key" layout="vertical" initialValues={initial}>
        <Form.Item name="sector" label="扇区" required rules={[{ type: 'integer', min: 0, max: 39, message: '扇区为0到39' }]}><InputNumber className="kit-fill" controls={false} parser={readNumber} /></Form.Item>
        <Form.Item name="key" label="密钥" required rules={[{ pattern: /^[0-9A-Fa-f]{12}$/u, required: true, message: '密钥为12位十六进制' }]}><Input.Password autoComplete="off" maxLength={12} /></Form.Item>
        <Form.Item name="renew_pairing" valuePropName="checked" extra="有读卡电脑遗失时勾选，其他读卡电脑需要重新填写"><Checkbox>更换读卡服务的配对密钥</Checkbox></Form.Item>
      </Form>
    </AppModal>
  )
}
