import { DownOutlined, UpOutlined } from '@ant-design/icons'
import { season_fields } from '@campus/people/contract'
import type { FreshmenSeason, SeasonMaterial } from '@campus/people/contract'
import { Button, Checkbox } from 'antd'
import type { ReactNode } from 'react'

type Fields = FreshmenSeason['form_fields']
type FormField = Fields[number]

const described = new Map(season_fields.map(field => [field.field_code, field]))

/** Which questions families answer, in which order; on the right as a phone shows them. */
export function FieldPicker({ fields, materials, change, is_over }: { fields: Fields; materials: readonly SeasonMaterial[]; change: (fields: Fields) => void; is_over: boolean }): ReactNode {
  const set = (code: string, patch: Partial<FormField>) => change(fields.map(field => (field.field_code === code ? { ...field, ...patch } : field)))
  const move = (from: number, to: number) => {
    const field = fields[from]
    if (field && to >= 0 && to < fields.length) change(fields.toSpliced(from, 1).toSpliced(to, 0, field))
  }
  return (
    <section className="fresh-card fresh-fields" aria-label="报名表字段">
      <ul>
        {fields.map((field, at) => {
          const { label = '', is_fixed = false } = described.get(field.field_code) ?? {}
          return (
            <li key={field.field_code}>
              <Checkbox checked={field.shown} disabled={is_fixed || is_over} onChange={event => set(field.field_code, { shown: event.target.checked, required: field.required && event.target.checked })}>{label}</Checkbox>
              <Checkbox checked={field.required} disabled={is_fixed || is_over || !field.shown} aria-label={`${label}必填`} onChange={event => set(field.field_code, { required: event.target.checked })}>必填</Checkbox>
              <Button type="text" size="small" icon={<UpOutlined aria-hidden />} aria-label={`上移 ${label}`} onClick={() => move(at, at - 1)} />
              <Button type="text" size="small" icon={<DownOutlined aria-hidden />} aria-label={`下移 ${label}`} onClick={() => move(at, at + 1)} />
            </li>
          )
        })}
      </ul>
      <figure className="fresh-phone" aria-label="手机预览">
        <figcaption>手机预览</figcaption>
        <p>联系手机号<b>*</b></p>
        {fields.filter(field => field.shown).map(field => <p key={field.field_code}>{described.get(field.field_code)?.label}{field.required && <b>*</b>}</p>)}
        {materials.filter(one => one.upload !== 'none').map(one => <p key={one.name}>上传{one.name}{one.upload === 'required' && <b>*</b>}</p>)}
      </figure>
    </section>
  )
}
