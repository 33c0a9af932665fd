import type { ConfigKey } from '@campus/devices/contract'
import { Input, InputNumber, Select } from 'antd'
import Password from 'antd/es/input/Password'
import type { ReactNode } from 'react'

type Value = number | string | null | undefined
type Props = { setting: ConfigKey; /** what holds while nothing is decided here */ placeholder: string; id?: string; value?: Value; onChange?: (value: Value) => void }

/** The control of one setting; empty: it is not decided here. */
export function SettingInput({ setting, placeholder, id, value, onChange }: Props): ReactNode {
  const { kind, title, choices = [], least, most, decimals = 0, unit } = setting
  const own = { ...(id === undefined ? {} : { id }), placeholder, 'aria-label': title }
  if (kind === 'choice') return <Select {...own} className="kit-fill" allowClear showSearch={{ optionFilterProp: 'label' }} value={value ?? null} options={choices} onChange={chosen => onChange?.(chosen)} />
  if (kind === 'number') return <InputNumber {...own} className="kit-fill" value={typeof value === 'number' ? value : null} min={least} max={most} precision={decimals} step={decimals === 0 ? 1 : 10 ** -decimals} suffix={unit} onChange={typed => onChange?.(typed)} />
  if (kind === 'secret') return <Password {...own} autoComplete="new-password" maxLength={63} value={String(value ?? '')} onChange={event => onChange?.(event.target.value)} />
  return <Input {...own} allowClear maxLength={200} value={String(value ?? '')} onChange={event => onChange?.(event.target.value)} />
}

/** A value in the words of its setting. */
export function valueText({ choices, unit, kind }: ConfigKey, value: number | string): string {
  if (kind === 'secret') return '已设置'
  const label = choices?.find(choice => choice.value === value)?.label
  return label ?? `${value === '' ? '（空）' : value}${unit === undefined ? '' : ` ${unit}`}`
}
