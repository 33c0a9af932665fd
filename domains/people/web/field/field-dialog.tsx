import { choosing, custom_types, FieldCode, FieldLabel, FieldOptions, sensitive_level } from '@campus/people/contract'
import type { CustomField, CustomType, FieldFacet } from '@campus/people/contract'
import { AppModal, leaving, ruleOf, useSaving, validValues } from '@kit/web'
import { readNumber, wholeRule } from '@kit/web/number'
import { Alert, Checkbox, Form, Input, InputNumber, Radio, Select } from 'antd'
import type { ReactNode } from 'react'
import { DictField } from './dict-field.tsx'
import { EditBy } from './edit-by.tsx'
import { facetName, level_names, lineOf, type_names } from './field-lines.ts'
import type { FieldInput } from './field-lines.ts'

type Values = { field_code: string; label: string; type: CustomType; options: string[]; dict_code: string | null; max_len: number | null; group_name: string; level: number; required: boolean; in_index: boolean; in_export: boolean; edit_by: string[] }

const homes = { 'people.fieldCodeTaken': 'field_code', 'people.fieldLabelTaken': 'label', 'people.fieldTypeUsed': 'type', 'people.fieldDict': 'dict_code' }
const [usual_signs, most_signs] = [100, 500]
const types = custom_types.map(value => ({ value, label: type_names[value] }))
const levels = [1, 2, 3].map(value => ({ value, label: level_names[value] }))

/** Makes a custom field, or changes one: its code never, its type until somebody has a value. */
export function FieldDialog({ facet, field, send, onClose }: { facet: FieldFacet; field: CustomField | null; send: (line: FieldInput) => Promise<void>; onClose: () => void }): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form, homes)
  const type = Form.useWatch('type', form) ?? field?.type ?? 'text'
  const watched: string | null | undefined = Form.useWatch('dict_code', form)
  const dict_code = watched === undefined ? (field?.dict_code ?? null) : watched
  const save = async () => {
    const values = await validValues(form)
    if (values && (await run(() => send(toLine(field, values)), field ? '设置成功' : '添加成功'))) onClose()
  }
  return (
    <AppModal open width={600} title={field ? `编辑字段：${field.label}` : '新增字段'} okText="保存" confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="custom-field" className="field-form" layout="vertical" initialValues={initialOf(field)}>
        <Form.Item name="label" label="字段名称" required rules={[ruleOf(FieldLabel)]}><Input maxLength={20} showCount placeholder="例如：过敏史" /></Form.Item>
        <Form.Item name="field_code" label="字段编码" required rules={[ruleOf(FieldCode)]} extra="用于数据对接，创建后不能修改"><Input disabled={field !== null} placeholder="例如：allergy" autoComplete="off" /></Form.Item>
        <Form.Item name="type" label="类型" extra={field?.used ? '已有人填写，不能更改类型' : undefined}><Select options={types} disabled={field?.used} /></Form.Item>
        <DictField shown={type === 'dict'} used={field?.used ?? false} />
        {choosing(type) && !(type === 'dict' && dict_code) && <Form.Item name="options" label="选项" required rules={[ruleOf(FieldOptions)]} extra="输入后按回车添加"><Select mode="tags" open={false} suffixIcon={null} tokenSeparators={['、', '，', ',', ';', '；']} /></Form.Item>}
        {type === 'text' && <Form.Item name="max_len" label="最多字数" rules={[wholeRule(1, most_signs)]}><InputNumber precision={0} parser={readNumber} placeholder={String(usual_signs)} /></Form.Item>}
        <Form.Item name="group_name" label="分组"><Input maxLength={20} placeholder="不填则显示在“其他信息”中" /></Form.Item>
        <Form.Item name="level" label="数据级别" extra={type === 'file' ? '附件只有有权查看档案的人能打开，每次打开都有记录' : undefined}><Radio.Group options={type === 'file' ? levels.filter(one => one.value < sensitive_level) : levels} /></Form.Item>
        <EditBy />
        <Form.Item name="in_index" valuePropName="checked"><Checkbox>名册：可作为列显示，可按选项或“未填”筛选</Checkbox></Form.Item>
        <Form.Item name="in_export" valuePropName="checked"><Checkbox>导出：导出名册时可选为列</Checkbox></Form.Item>
        <Form.Item name="required" valuePropName="checked"><Checkbox>必填：新增{facetName(facet)}时必须填写，不能清空</Checkbox></Form.Item>
      </Form>
    </AppModal>
  )
}

function initialOf(field: CustomField | null): Values {
  if (!field) return { field_code: '', label: '', type: 'text', options: [], dict_code: null, max_len: null, group_name: '', level: 1, required: false, in_index: false, in_export: true, edit_by: [] }
  return { ...field, options: field.dict_code === null ? (field.options ?? []) : [] }
}

function toLine(field: CustomField | null, { field_code, label, type, options, dict_code, max_len, group_name, level, required, in_index, in_export, edit_by }: Values): FieldInput {
  const known = field ? lineOf(field) : { archived: false }
  const dict = type === 'dict' ? (dict_code ?? null) : null
  return { ...known, field_code, label, type, options: choosing(type) && !dict ? options : null, dict_code: dict, max_len: type === 'text' ? (max_len ?? null) : null, group_name, level: type === 'file' ? Math.min(level, sensitive_level - 1) : level, required, in_index, in_export, edit_by }
}
