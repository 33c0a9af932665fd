import { remark_types, RemarkLabel, RemarkOptions } from '@campus/people/contract'
import type { remarkApi, RemarkField } from '@campus/people/contract'
import type { Request } from '@kit/contract'
import { AppModal, leaving, ruleOf, useSaving } from '@kit/web'
import { Alert, Form, Input, Select } from 'antd'
import type { ReactNode } from 'react'
import { made_types, typeWord } from '../organization/dept-place.ts'
import { validated } from '../refused.ts'

/** One line of the settings as it is sent. */
export type RemarkInput = Request<typeof remarkApi.save>['list'][number]
type Values = { label: string; options: string[]; applies_to: number[] }

const homes = { 'people.remarkLabelTaken': 'label', 'people.remarkOptionUsed': 'options' }
const usual: Values = { label: '', options: [], applies_to: [...made_types.student] }
const types = remark_types.map(value => ({ value, label: typeWord(value) })).filter(({ value }) => value !== 11)

/** A new remark, or an existing one. */
export function RemarkDialog({ field, send, onClose }: { field: RemarkField | null; send: (line: RemarkInput) => Promise<void>; onClose: () => void }): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form, homes)
  const save = async () => {
    const values = await validated(form)
    if (!values) return
    const known = field ? { id: field.id, row_version: field.row_version, archived: field.archived } : {}
    if (await run(() => send({ ...known, ...values }), '保存成功')) onClose()
  }
  return (
    <AppModal open width={560} title={field ? `编辑备注：${field.label}` : '新增备注'} okText="保存" confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="remark" layout="vertical" initialValues={field ?? usual}>
        <Form.Item name="label" label="备注名称" required rules={[ruleOf(RemarkLabel)]}><Input autoComplete="off" placeholder="例如：校区" /></Form.Item>
        <Form.Item name="options" label="选项" required rules={[ruleOf(RemarkOptions)]} extra="每输入一个选项按回车；也可以粘贴用逗号分隔的几个"><Select mode="tags" open={false} suffixIcon={null} tokenSeparators={[',', '，', ';', '；', '、']} placeholder="例如：东校区" /></Form.Item>
        <Form.Item name="applies_to" label="适用的部门" rules={[{ required: true, message: '请选择适用的部门类型' }]}><Select mode="multiple" options={types} showSearch={{ optionFilterProp: 'label' }} /></Form.Item>
      </Form>
    </AppModal>
  )
}
