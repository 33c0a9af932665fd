import { card_input_names, card_order_names, card_truncation_names, cardFormatApi, CardFormatDraft, readerDeskApi } from '@campus/devices/contract'
import type { CardFormatRow, ReaderDesk } from '@campus/devices/contract'
import type { Request } from '@kit/contract'
import { AppModal, call, mayDiscard, ruleOf, sentenceOf, toast, useSaving, validValues } from '@kit/web'
import { Alert, Checkbox, Form, Input, Select } from 'antd'
import type { ReactNode } from 'react'
import { useReadersChanged } from './use-smart-card.ts'

export type FormatDraft = Request<typeof cardFormatApi.add>
type Values = FormatDraft & { for_desk?: boolean }
const choices = <K extends string>(names: Readonly<Record<K, string>>) => Object.entries(names).map(([value, label]) => ({ value, label: String(label) }))

/** Names a way of writing cards' numbers, or changes one; a new one may become that of this workstation's desk at once. */
export function FormatDialog({ format, draft, desk, onClose }: { format: CardFormatRow | null; draft: FormatDraft; desk: ReaderDesk | null; onClose: () => void }): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form, { 'devices.cardFormatTaken': 'format_name' })
  const changed = useReadersChanged()
  const save = async () => {
    const values = await validValues(form)
    if (!values || !(await run(() => send(format, values, desk), '设置成功'))) return
    await changed()
    onClose()
  }
  const leave = async () => {
    if (!form.isFieldsTouched() || (await mayDiscard())) onClose()
  }
  return (
    <AppModal open width={520} title={format ? `编辑格式：${format.format_name}` : '保存卡号格式'} okText="保存" confirmLoading={busy} onOk={() => void save()} onCancel={() => void leave()}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      {format && format.desks > 0 && <Alert type="info" showIcon title={`${format.desks}个读卡点使用此格式，保存后一并改变。`} />}
      <Form form={form} name="card-format" layout="vertical" initialValues={{ ...draft, for_desk: desk !== null && format === null }}>
        <Form.Item name="format_name" label="格式名称" required rules={[ruleOf(CardFormatDraft.shape.format_name)]}><Input maxLength={30} showCount /></Form.Item>
        <div className="device-pair">
          <Form.Item name="byte_order" label="字节顺序"><Select options={choices(card_order_names)} /></Form.Item>
          <Form.Item name="input" label="写法"><Select options={choices(card_input_names)} /></Form.Item>
          <Form.Item name="truncation" label="截取" extra="取卡号的最后几位，再换算为十进制"><Select options={choices(card_truncation_names)} /></Form.Item>
          <Form.Item name="sample" label="样卡" rules={[ruleOf(CardFormatDraft.shape.sample)]}><Input maxLength={30} /></Form.Item>
        </div>
        <Form.Item name="pad" valuePropName="checked" noStyle><Checkbox>不足位数时左补0</Checkbox></Form.Item>
        <Form.Item name="upper" valuePropName="checked" noStyle><Checkbox>字母大写</Checkbox></Form.Item>
        {desk && !format && <Form.Item name="for_desk" valuePropName="checked" noStyle><Checkbox>{`用于“${desk.desk_name}”`}</Checkbox></Form.Item>}
      </Form>
    </AppModal>
  )
}

async function send(format: CardFormatRow | null, { for_desk, ...draft }: Values, desk: ReaderDesk | null): Promise<void> {
  const quiet = { quiet: true }
  if (format) return void (await call(cardFormatApi.update, { ...draft, format_id: format.format_id, row_version: format.row_version }, quiet))
  const { format: made } = await call(cardFormatApi.add, draft, quiet)
  if (!desk || for_desk !== true) return
  const { desk_id, desk_name, reader_ip, port, mode, row_version } = desk
  // The format is there, whatever becomes of the desk: to save it once more would be to save another one.
  await call(readerDeskApi.update, { desk_id, desk_name, reader_ip, port, mode, row_version, card_format_id: made.format_id }, quiet).catch((cause: unknown) => toast.error(`格式已保存，但没有用于“${desk_name}”：${sentenceOf(cause)}`))
}
