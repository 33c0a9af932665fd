import type { ConfigKey } from '@campus/devices/contract'
import { Form } from 'antd'
import type { ReactNode } from 'react'
import { EffectMark } from './setting-mark.tsx'
import { SettingInput, valueText } from './setting-input.tsx'

/** The form of a model, part by part; what is left empty is not decided. `kept`: secrets that are there and stay as long as nothing else is typed. */
export function SettingForm({ keys, kept }: { keys: readonly ConfigKey[]; kept: readonly string[] }): ReactNode {
  const sections = [...Map.groupBy(keys, one => one.section)]
  return sections.map(([section, of]) => (
    <fieldset key={section} className="config-section">
      <legend>{section}</legend>
      {of.map(one => (
        <Form.Item key={one.key} name={['values', one.key]} label={<>{one.title}<EffectMark effect={one.effect} is_dangerous={one.is_dangerous} /></>} extra={one.hint}>
          <SettingInput setting={one} placeholder={placeholderOf(one, kept)} />
        </Form.Item>
      ))}
    </fieldset>
  ))
}

function placeholderOf(one: ConfigKey, kept: readonly string[]): string {
  if (kept.includes(one.key)) return '已设置，不修改请留空'
  return one.initial === '' || one.kind === 'secret' ? '不设置' : `不设置（出厂值 ${valueText(one, one.initial)}）`
}
