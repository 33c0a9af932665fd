import { guardian_registry, registry } from '@campus/people/contract'
import type { GuardianProp, RegistryField, RegistryProp } from '@campus/people/contract'
import { useDictionary } from '@kit/web'
import { Form, Input, Select } from 'antd'
import type { FormRule } from 'antd'
import type { FocusEvent, ReactNode } from 'react'
import { guardianRules, isDemanded, rulesOf } from './rules.ts'

const hints: Partial<Record<RegistryField['kind'], string>> = { date: '如 20180512', month: '如 202509', division: '名称或6位行政区划码', roll_no: 'G/J/L加18位', decimal: '公里' }
const wide: readonly RegistryProp[] = ['address', 'mail_address', 'home_address', 'remark']

type Props = { prop: RegistryProp; mask?: string | null; more?: FormRule[]; disabled?: boolean; demanded?: boolean }

/** One field of the registry. Red star: demanded; grey star: asked for by the national form. */
export function RegistryItem({ prop, mask, more = [], disabled, demanded }: Props): ReactNode {
  const field = registry[prop]
  const label = field.wanted ? <span className="file-wanted">{field.label}</span> : field.label
  return (
    <Form.Item name={prop} label={label} required={demanded ?? isDemanded(prop)} rules={[...rulesOf(prop, mask), ...more]} className={wide.includes(prop) ? 'file-wide' : undefined}>
      <Control field={field} disabled={disabled} />
    </Form.Item>
  )
}

/** One field of a guardian; `at` is the line of the form's list. */
export function GuardianItem({ prop, at, mask, more = [], disabled }: { prop: GuardianProp; at: number; mask?: string | null; more?: FormRule[]; disabled?: boolean }): ReactNode {
  const field = guardian_registry[prop]
  return (
    <Form.Item name={[at, prop]} label={field.label} rules={[...guardianRules(prop, mask), ...more]}>
      <Control field={field} disabled={disabled} />
    </Form.Item>
  )
}

type Given = { id?: string; value?: string | null; onChange?: (value: string | null) => void }

function Control({ field, disabled, id, value, onChange }: Given & { field: RegistryField; disabled?: boolean }): ReactNode {
  if (field.dict !== undefined) return <CodeSelect id={id} type={field.dict} disabled={disabled} value={value} onChange={onChange} />
  return (
    <Input
      id={id}
      value={value ?? ''}
      disabled={disabled}
      placeholder={hints[field.kind]}
      autoComplete="off"
      onChange={event => onChange?.(event.target.value)}
      onFocus={field.masked ? selectMask : undefined}
    />
  )
}

/** A mask is replaced as a whole: whoever types into it begins anew. */
function selectMask(event: FocusEvent<HTMLInputElement>): void {
  if (event.target.value.includes('**')) event.target.select()
}

function CodeSelect({ id, type, disabled, value, onChange }: Given & { type: string; disabled?: boolean }): ReactNode {
  const options = useDictionary(type)
  return <Select id={id} showSearch={{ optionFilterProp: 'label' }} allowClear options={options} disabled={disabled} value={value || undefined} onChange={(code?: string) => onChange?.(code ?? null)} />
}
