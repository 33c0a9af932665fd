import { field_types, most_fields } from '@campus/publishing/contract'
import type { FormField } from '@campus/publishing/contract'
import { Button, Checkbox, Input, Select } from 'antd'
import type { ReactNode } from 'react'

type Props = { value?: FormField[]; onChange?: (fields: FormField[]) => void }
const types = Object.entries(field_types).map(([value, label]) => ({ value, label }))
const bare = { required: false, options: [], min: null, max: null, when: null }
/** Forms that schools often need (chapter 60 §5). */
const ready: Readonly<Record<string, FormField[]>> = {
  放假安全责任书: [{ ...bare, key: 'f1', type: 'note', label: '请阅读正文后逐项确认' }, { ...bare, key: 'f2', type: 'single', label: '已与孩子一起学习安全须知', required: true, options: ['是', '否'] }, { ...bare, key: 'f3', type: 'text', label: '假期联系电话', required: true, max: 20 }],
  校服尺码: [{ ...bare, key: 'f1', type: 'single', label: '尺码', required: true, options: ['110', '120', '130', '140', '150', '160', '170'] }, { ...bare, key: 'f2', type: 'number', label: '身高（厘米）', min: 80, max: 220 }],
  午休意愿: [{ ...bare, key: 'f1', type: 'single', label: '是否在校午休', required: true, options: ['在校午休', '回家'] }, { ...bare, key: 'f2', type: 'area', label: '特殊情况', when: { key: 'f1', value: '在校午休' }, max: 200 }],
}

/** The questions of a collection or survey, each shown only after an earlier answer where that is wished. */
export function FormBuilder({ value = [], onChange }: Props): ReactNode {
  const change = (fields: FormField[]) => onChange?.(fields)
  const patch = (at: number, part: Partial<FormField>) => change(value.map((field, index) => (index === at ? { ...field, ...part } : field)))
  const next = () => `f${Math.max(0, ...value.map(field => Number(field.key.slice(1)))) + 1}`
  const move = (at: number) => change(value.map((field, index) => (index === at - 1 ? (value[at] ?? field) : index === at ? (value[at - 1] ?? field) : field)))
  return (
    <div className="pub-fields">
      {value.map((field, at) => <Question key={field.key} field={field} before={value.slice(0, at)} patch={part => patch(at, part)} drop={() => change(value.filter(one => one !== field))} up={at === 0 ? null : () => move(at)} />)}
      <div>
        <Button disabled={value.length >= most_fields} onClick={() => change([...value, { ...bare, key: next(), type: 'text', label: '' }])}>添加题目</Button>
        {value.length === 0 && Object.entries(ready).map(([name, fields]) => <Button key={name} type="link" onClick={() => change(fields)}>{name}</Button>)}
      </div>
    </div>
  )
}

type QuestionProps = { field: FormField; before: readonly FormField[]; patch: (part: Partial<FormField>) => void; drop: () => void; up: (() => void) | null }

function Question({ field, before, patch, drop, up }: QuestionProps): ReactNode {
  const is_choice = field.type === 'single' || field.type === 'multi'
  const conditions = before.filter(one => one.type === 'single').flatMap(one => one.options.map(option => ({ value: `${one.key}:${option}`, label: `${one.label} = ${option}` })))
  const when = (text: string | undefined) => patch({ when: text === undefined ? null : { key: text.slice(0, text.indexOf(':')), value: text.slice(text.indexOf(':') + 1) } })
  return (
    <div className="pub-field">
      <Select aria-label="题型" value={field.type} options={types} onChange={type => patch({ type, options: type === 'single' || type === 'multi' ? (field.options.length > 0 ? field.options : ['选项1', '选项2']) : [] })} />
      <Input aria-label="题目" placeholder="题目" maxLength={100} value={field.label} onChange={event => patch({ label: event.target.value })} />
      <Checkbox checked={field.required} disabled={field.type === 'note'} onChange={event => patch({ required: event.target.checked })}>必填</Checkbox>
      <Select aria-label="显示条件" allowClear placeholder="始终显示" disabled={conditions.length === 0} options={conditions} value={field.when === null ? undefined : `${field.when.key}:${field.when.value}`} onChange={when} />
      <span><Button type="link" size="small" disabled={up === null} onClick={up ?? undefined}>上移</Button><Button type="link" size="small" danger onClick={drop}>删除</Button></span>
      {is_choice && <Input.TextArea aria-label="选项，每行一个" autoSize={{ minRows: 2, maxRows: 6 }} value={field.options.join('\n')} onChange={event => patch({ options: event.target.value.split('\n') })} />}
    </div>
  )
}
