import { dictionaryEditApi, schoolErrors } from '@campus/school/contract'
import type { DictionaryLine, DictionaryType } from '@campus/school/contract'
import { AppModal, call, mayDiscard, ruleOf, useSaving, validValues } from '@kit/web'
import { readNumber, wholeRule } from '@kit/web/number'
import { Alert, Form, Input, InputNumber, Switch } from 'antd'
import type { ReactNode } from 'react'

/** The item being written: `line` null for a new one, `next` its place. */
export type OpenedItem = { type: DictionaryType; line: DictionaryLine | null; next: number }
type Values = { sc_code_item: string; name: string; order: number; enabled: boolean }

const shape = dictionaryEditApi.add.details.body?.shape

/** One item of a dictionary; its code is chosen once. */
export function ItemDialog({ opened: { type, line, next }, onClose, onSaved }: { opened: OpenedItem; onClose: () => void; onSaved: () => Promise<unknown> }): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form, { [schoolErrors.nameTaken.id]: 'name' })
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const endpoint = line ? dictionaryEditApi.change : dictionaryEditApi.add
    if (await run(() => call(endpoint, { ...values, sc_code_type: type.sc_code_type }, { quiet: true }), '保存成功')) await onSaved()
  }
  const leave = async () => {
    if (!form.isFieldsTouched() || (await mayDiscard())) onClose()
  }
  const before: Values = line ? { sc_code_item: line.sc_code_item, name: line.name, order: line.order, enabled: line.enabled } : { sc_code_item: '', name: '', order: next, enabled: true }
  return (
    <AppModal open width={480} title={line ? `编辑${type.title}：${line.name}` : `新增${type.title}`} okText="保存" confirmLoading={busy} onOk={() => void save()} onCancel={() => void leave()}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="dictionary-item" layout="vertical" initialValues={before}>
        <Form.Item name="sc_code_item" label="代码" extra={line ? '代码已保存在数据中，不能修改' : '字母或数字，保存后不能修改'} rules={shape && [ruleOf(shape.sc_code_item)]}><Input maxLength={20} disabled={line !== null} /></Form.Item>
        <Form.Item name="name" label="名称" required extra={line?.standard_name ? `标准名称：${line.standard_name}` : undefined} rules={shape && [ruleOf(shape.name)]}><Input maxLength={60} /></Form.Item>
        <Form.Item name="order" label="顺序" rules={[wholeRule(0, 9999)]}><InputNumber precision={0} parser={readNumber} /></Form.Item>
        <Form.Item name="enabled" label="启用" valuePropName="checked" extra="停用后不再提供选择，已保存的数据仍显示其名称"><Switch /></Form.Item>
      </Form>
    </AppModal>
  )
}
