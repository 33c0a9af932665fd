import type { ConfigKey } from '@campus/devices/contract'
import { Input, InputNumber, Select } from 'antd'
import { readNumber } from '@kit/web/number'
import Password from 'antd/es/input/Password'
import type { ReactNode } from 'react'

const tenth = 10
type Value = number | string | null | undefined
type Props = { setting: ConfigKey; /** what holds while nothing is decided here */ placeholder: string; id?: string; value?: Value; onChange?: (value: Value) => void }

/** The control of one setting; empty: it is not decided here. */
export function SettingInput({ setting, placeholder, id, value, onChange }: Props): ReactNode {
  const { kind, title, choices = [], decimals = 0, unit } = setting
  const own = { ...(id === undefined ? {} : { id }), placeholder, 'aria-label': title }
  if (kind === 'choice') return <Select {...own} className="kit-fill" allowClear showSearch={{ optionFilterProp: 'label' }} value={value ?? null} options={choices} onChange={chosen => onChange?.(chosen)} />
  if (kind === 'number') return <NumberInput setting={setting} own={own} value={typeof value === 'number' ? value : null} unit={unit} decimals={setting.is_tenths ? 1 : decimals} onChange={onChange} />
  if (kind === 'secret') return <Password {...own} autoComplete="new-password" maxLength={63} value={String(value ?? '')} onChange={event => onChange?.(event.target.value)} />
  return <Input {...own} allowClear maxLength={200} value={String(value ?? '')} onChange={event => onChange?.(event.target.value)} />
}

type OfNumber = { setting: ConfigKey; own: object; value: number | null; unit: string | undefined; decimals: number; onChange: Props['onChange'] }

/** A number as people read it: what the device counts in tenths is typed with its decimal. */
function NumberInput({ setting: { is_tenths }, own, value, unit, decimals, onChange }: OfNumber): ReactNode {
  const shown = (stored: number) => (is_tenths ? stored / tenth : stored)
  return <InputNumber<number | string> {...own} className="kit-fill" value={value === null ? null : shown(value)} precision={decimals} parser={readNumber} step={10 ** -decimals} suffix={unit} onChange={typed => onChange?.(typeof typed !== 'number' ? null : is_tenths ? Math.round(typed * tenth) : typed)} />
}

/** A value in the words of its setting. */
export function valueText({ choices, unit, kind, is_tenths }: ConfigKey, value: number | string): string {
  if (kind === 'secret') return '已设置'
  const label = choices?.find(choice => choice.value === value)?.label
  const told = is_tenths && typeof value === 'number' ? (value / tenth).toFixed(1) : value
  return label ?? `${told === '' ? '（空）' : told}${unit === undefined ? '' : ` ${unit}`}`
}
