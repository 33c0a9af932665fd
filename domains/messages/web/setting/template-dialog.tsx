import { message_channel, templateApi } from '@campus/messages/contract'
import type { TemplateRow } from '@campus/messages/contract'
import { AppModal, call, mayDiscard, useSaving, validValues } from '@kit/web'
import { Alert, Button, Form, Input, Select, Switch } from 'antd'
import type { ReactNode } from 'react'
import { keptWords, preview, problemOf, shownWords } from './template-words.ts'

type Values = Pick<TemplateRow, 'title' | 'body' | 'channels' | 'all_channels' | 'provider_template_id' | 'enabled'>
type Props = { row: TemplateRow; onClose: () => void; onSaved: () => Promise<unknown> }

const outside = [2, 3, 4, 5] as const
const channel_names: Readonly<Record<string, string>> = message_channel.names
const channel_options = outside.map(value => ({ value, label: channel_names[value] ?? '' }))

/** The school's words for one kind of message. Its fields are declared; the words between them may be changed. */
export function TemplateDialog({ row, onClose, onSaved }: Props): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form)
  const names = row.field_names
  const shown = { title: shownWords(row.title, names), body: shownWords(row.body, names) }
  const title = Form.useWatch('title', form) ?? shown.title
  const body = Form.useWatch('body', form) ?? shown.body
  const problem = problemOf({ title, body }, row)
  const save = async () => {
    const values = await validValues(form)
    if (!values || problem !== null) return
    const { code, row_version } = row
    if (await run(() => call(templateApi.save, { code, row_version, ...values, title: keptWords(values.title, names), body: keptWords(values.body, names), provider_template_id: values.provider_template_id || null }, { quiet: true }), '设置成功')) await onSaved()
  }
  const leave = async () => {
    if (!form.isFieldsTouched() || (await mayDiscard())) onClose()
  }
  const insert = (name: string) => {
    form.setFields([{ name: 'body', value: `${body}{${names[name] ?? name}}`, touched: true }])
  }
  return (
    <AppModal open width={640} title={`消息模板：${row.name}`} okText="保存" confirmLoading={busy} okButtonProps={{ disabled: problem !== null }} onOk={() => void save()} onCancel={() => void leave()}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="message-template" layout="vertical" initialValues={{ ...row, ...shown }}>
        <Form.Item name="title" label="标题" required><Input maxLength={60} showCount /></Form.Item>
        <Form.Item name="body" label="正文" required><Input.TextArea rows={3} maxLength={300} showCount /></Form.Item>
        <div className="message-fields" role="group" aria-label="可用字段">
          <span>可用字段：</span>
          {Object.entries(row.fields).map(([name, most]) => <Button key={name} size="small" title={`最多${most}个字，点击加到正文末尾`} onClick={() => insert(name)}>{names[name] ?? name}</Button>)}
        </div>
        <div className="message-preview" role="status" aria-label="预览">
          {problem === null ? <><b>{preview(title, names)}</b><span>{preview(body, names)}</span></> : <em>{problem}</em>}
        </div>
        <div className="message-pair">
          <Form.Item name="channels" label="外发通道" extra="按先后顺序尝试；不选则只进收件箱"><Select mode="multiple" options={channel_options} /></Form.Item>
          <Form.Item name="all_channels" label="全部通道都发" valuePropName="checked" extra="关闭时一个通道成功后不再尝试其他"><Switch /></Form.Item>
        </div>
        <div className="message-pair">
          <Form.Item name="provider_template_id" label="服务商模板编号" extra="短信服务商要求时填写"><Input maxLength={120} /></Form.Item>
          <Form.Item name="enabled" label="启用" valuePropName="checked" extra="停用后不再发送这类消息"><Switch /></Form.Item>
        </div>
      </Form>
    </AppModal>
  )
}
