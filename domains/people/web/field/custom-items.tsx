import { customMissing, readCustom, sensitive_level } from '@campus/people/contract'
import type { CustomField, CustomType, CustomValue, FieldFacet } from '@campus/people/contract'
import { sentenceOf } from '@kit/web'
import { Alert, Button, Form, Input, Select } from 'antd'
import type { FormRule } from 'antd'
import type { ReactNode } from 'react'
import { customGroups } from './custom-groups.ts'
import { FileControl } from './file-control.tsx'
import { useFields } from './use-fields.ts'

type Asked = Pick<CustomField, 'field_code' | 'label' | 'type' | 'options' | 'required' | 'max_len' | 'group_name' | 'level' | 'may_edit'> & { value?: string | null }

const hints: Partial<Record<CustomType, string>> = { date: '如 20180512', number: '数字', mobile: '11位手机号', id_card: '18位身份证号' }

/** The school's own fields of the form; a new file has no values of them yet. */
export function CustomItems({ facet, custom, grid = 'file-grid' }: { facet: FieldFacet; custom: readonly CustomValue[] | undefined; grid?: string }): ReactNode {
  const query = useFields(facet, { enabled: !custom })
  const fields: readonly Asked[] = custom ?? query.data?.filter(field => !field.archived) ?? []
  return (
    <>
      {!custom && query.error && !query.data && (
        <Alert type="warning" showIcon title={`自定义字段加载失败：${sentenceOf(query.error)}`} action={<Button size="small" onClick={() => void query.refetch()}>重试</Button>} />
      )}
      {customGroups(fields).map(group => (
        <section key={group.title} aria-label={group.title}>
          <h3>{group.title}</h3>
          <div className={grid}>
            {group.fields.map(field => (
              <Form.Item key={field.field_code} name={['ext', field.field_code]} label={field.label} required={field.required && field.may_edit} rules={field.may_edit ? [ruleFor(field)] : []} extra={field.may_edit ? undefined : '由指定的角色组填写'}>
                <Control field={field} />
              </Form.Item>
            ))}
          </div>
        </section>
      ))}
    </>
  )
}

/** The verdict of the server; an untouched mask is not looked at. */
function ruleFor(field: Asked): FormRule {
  return {
    validator: (_: unknown, value: unknown) => {
      const text = typeof value === 'string' ? value : ''
      if (field.level === sensitive_level && text !== '' && text === field.value) return Promise.resolve()
      const wrong = customMissing(field, text) ?? (text.trim() ? readCustom(field, text).error : undefined)
      return wrong === undefined ? Promise.resolve() : Promise.reject(new Error(wrong))
    },
  }
}

type Given = { field: Asked; id?: string; value?: string | null; onChange?: (value: string | null) => void }

function Control({ field: { type, label, options, may_edit }, id, value, onChange }: Given): ReactNode {
  const choices = options?.map(option => ({ value: option, label: option }))
  if (type === 'multi') return <Select id={id} disabled={!may_edit} mode="multiple" allowClear options={choices} value={value ? value.split('、') : []} onChange={(chosen: string[]) => onChange?.(chosen.length > 0 ? chosen.join('、') : null)} />
  if (type === 'dict') return <Select id={id} disabled={!may_edit} allowClear options={choices} value={value || undefined} onChange={(chosen?: string) => onChange?.(chosen ?? null)} />
  if (type === 'file') return <FileControl id={id} label={label} disabled={!may_edit} value={value} onChange={onChange} />
  return <Input id={id} disabled={!may_edit} value={value ?? ''} placeholder={hints[type]} autoComplete="off" onChange={event => onChange?.(event.target.value)} />
}
