import type { DeviceRule } from '@campus/devices/contract'
import { Select } from 'antd'
import type { SelectProps } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useDeviceChoices } from './use-rules.ts'

/** Devices by name, of some models alone where they are named; those that are chosen already are known without searching. */
export function DeviceSelect({ known, models, ...select }: { known: DeviceRule['devices']; models?: readonly string[] } & SelectProps<string[]>): ReactNode {
  const [keyword, setKeyword] = useState('')
  const found = (useDeviceChoices(keyword, models?.length === 1 ? models[0] : undefined).data ?? []).filter(one => models?.includes(one.model_code) ?? true)
  const chosen = [...known.map(one => ({ value: one.id, label: one.name })), ...found.map(one => ({ value: one.device_id, label: one.device_name }))]
  return <Select {...select} mode="multiple" allowClear showSearch={{ filterOption: false, onSearch: setKeyword }} options={[...new Map(chosen.map(one => [one.value, one])).values()]} placeholder="按名称搜索设备" />
}
