import { channelApi, message_channel } from '@campus/messages/contract'
import type { ChannelRow } from '@campus/messages/contract'
import { AppModal, call, useSaving, validValues } from '@kit/web'
import { Alert, Form, Input } from 'antd'
import type { ReactNode } from 'react'
import type { Recheck } from './recheck.ts'

type Values = { to: string; password: string }
const mail_channel = 4
const channel_names: Readonly<Record<string, string>> = message_channel.names

/** Sends one line to an address; the own password is asked for, since it leaves the product. */
export function TestDialog({ row, recheck, onClose }: { row: ChannelRow; recheck: Recheck; onClose: () => void }): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form)
  const send = async () => {
    const values = await validValues(form)
    if (!values) return
    const sent = await run(async () => {
      const recheck_token = await recheck(values.password)
      await call(channelApi.test, { channel: row.channel, to: values.to, recheck_token }, { quiet: true })
    }, '已提交，请查收')
    if (sent) onClose()
  }
  const what = row.channel === mail_channel ? '邮箱地址' : row.channel === 3 ? '手机号' : '接收人标识'
  return (
    <AppModal open width={480} title={`测试${channel_names[row.channel] ?? ''}通道`} okText="发送" confirmLoading={busy} onOk={() => void send()} onCancel={onClose}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="message-test" layout="vertical">
        <Form.Item name="to" label={what} required rules={[{ required: true, message: `请输入${what}` }]} extra="会收到一条测试消息，不记入发送记录"><Input maxLength={254} autoComplete="off" /></Form.Item>
        <Form.Item name="password" label="您的登录密码" required rules={[{ required: true, message: '请输入密码' }]} extra="为确认是您本人操作"><Input.Password maxLength={64} autoComplete="current-password" /></Form.Item>
      </Form>
    </AppModal>
  )
}
