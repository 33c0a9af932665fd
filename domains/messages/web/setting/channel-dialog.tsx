import { channelApi, kept_secret, message_channel, receipt_adapters, receiptPath } from '@campus/messages/contract'
import type { AdapterName, ChannelRow, OutsideChannel } from '@campus/messages/contract'
import { AppModal, call, mayDiscard, readStored, useSaving, validValues } from '@kit/web'
import { readNumber, wholeRule } from '@kit/web/number'
import { Alert, Form, Input, InputNumber, Select, Switch } from 'antd'
import type { ReactNode } from 'react'
import { SettingFields } from './setting-fields.tsx'
import { adapter_names, adapters_of } from './words.ts'

type Values = Omit<ChannelRow, 'channel' | 'is_ready' | 'row_version'>
type Props = { row: ChannelRow; onClose: () => void; onSaved: () => Promise<unknown> }

const channel_names: Readonly<Record<string, string>> = message_channel.names
const time_rule = [{ pattern: /^([01]\d|2[0-3]):[0-5]\d$/, required: true, message: '时间格式为 22:00' }]
const limit_rule = [{ required: true, message: '请填写上限' }]

/** How an outside channel is used: what carries it, how much it may send and when it keeps quiet. The secret is never shown again. */
export function ChannelDialog({ row, onClose, onSaved }: Props): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form)
  const adapter = Form.useWatch('adapter', form) ?? row.adapter
  const save = async () => {
    const values = await validValues(form)
    if (values && (await run(() => send(row, values), '设置成功'))) await onSaved()
  }
  const leave = async () => {
    if (!form.isFieldsTouched() || (await mayDiscard())) onClose()
  }
  const offered = offeredTo(row)
  return (
    <AppModal open width={640} title={`${channel_names[row.channel] ?? ''}通道设置`} okText="保存" confirmLoading={busy} onOk={() => void save()} onCancel={() => void leave()}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="message-channel" layout="vertical" initialValues={{ ...row, settings: { secure: true, content_type: 'application/json', ...row.settings } }}>
        <div className="message-pair">
          <Form.Item name="adapter" label="发送方式" extra={offered.length === 1 ? '该通道暂无可用的外发方式，消息只会被记录' : undefined}><Select options={offered.map(value => ({ value, label: adapter_names[value] }))} /></Form.Item>
          <Form.Item name="enabled" label="启用" valuePropName="checked" extra="停用后该通道的消息标记为已停用"><Switch /></Form.Item>
        </div>
        <SettingFields adapter={adapter} />
        {adapter !== 'log' && <Form.Item name="secret" label="密钥或密码" extra="只写不读；保持不变则不用修改"><Input.Password maxLength={500} autoComplete="new-password" visibilityToggle={false} onFocus={event => event.target.value === kept_secret && event.target.select()} /></Form.Item>}
        <ReceiptField adapter={adapter} />
        <div className="message-pair">
          <Form.Item name="day_limit" label="全校每日上限" extra="紧急消息不计" rules={[...limit_rule, wholeRule(0, 1_000_000)]}><InputNumber precision={0} parser={readNumber} suffix="条" className="kit-fill" /></Form.Item>
          <Form.Item name="person_day_limit" label="每人每日上限" extra="超出后只进收件箱" rules={[...limit_rule, wholeRule(0, 1000)]}><InputNumber precision={0} parser={readNumber} suffix="条" className="kit-fill" /></Form.Item>
        </div>
        <div className="message-pair">
          <Form.Item name="quiet_from" label="免打扰开始" rules={time_rule} extra="普通和重要消息推迟到免打扰结束"><Input maxLength={5} placeholder="22:00" /></Form.Item>
          <Form.Item name="quiet_to" label="免打扰结束" rules={time_rule} extra="紧急消息不受限制"><Input maxLength={5} placeholder="07:00" /></Form.Item>
        </div>
      </Form>
    </AppModal>
  )
}

/** Where the provider tells of arrivals, and what it signs them with. */
function ReceiptField({ adapter }: { adapter: AdapterName }): ReactNode {
  const told = receipt_adapters.find(one => one === adapter)
  if (!told) return null
  const address = `${window.location.origin}${receiptPath(told, Number(readStored('school_id') ?? 0))}`
  return <Form.Item name="receipt_secret" label="回执密钥" extra={`服务商支持送达回执时填写，回执地址：${address}。没有回执的消息停留在“已提交”`}><Input.Password maxLength={500} autoComplete="new-password" visibilityToggle={false} onFocus={event => event.target.value === kept_secret && event.target.select()} /></Form.Item>
}

function offeredTo({ channel, adapter }: ChannelRow): AdapterName[] {
  const known = ([2, 3, 4, 5] as const).find((one: OutsideChannel) => one === channel)
  const offered = known ? adapters_of[known] : []
  return [...new Set([...offered, adapter])]
}

function send({ channel, row_version, secret: kept, receipt_secret: kept_receipt }: ChannelRow, { settings, secret, receipt_secret, ...values }: Values): Promise<unknown> {
  const filled = Object.fromEntries(Object.entries(values.adapter === 'log' ? {} : (settings ?? {})).filter(([, value]) => value !== undefined && value !== null && value !== ''))
  return call(channelApi.save, { channel, row_version, ...values, settings: filled, secret: secret ?? kept, receipt_secret: receipt_secret ?? kept_receipt }, { quiet: true })
}
