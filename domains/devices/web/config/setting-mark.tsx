import { config_effects, config_sources } from '@campus/devices/contract'
import type { ConfigKey, ConfigSource } from '@campus/devices/contract'
import { Tag, Tooltip } from 'antd'
import type { ReactNode } from 'react'

const colors: Readonly<Record<ConfigSource, string>> = { device: 'purple', place: 'blue', model: 'cyan', school: 'default' }

/** What a device does of itself when the setting changes; nothing where it simply takes it. */
export function EffectMark({ effect, is_dangerous }: Pick<ConfigKey, 'effect' | 'is_dangerous'>): ReactNode {
  if (effect === 'none') return null
  return <Tooltip title={is_dangerous ? '填错可能使设备断开连接，需先在一台试点设备上验证' : '修改后设备会自动重启'}><Tag color={is_dangerous ? 'red' : 'orange'}>{is_dangerous ? '需试点' : config_effects[effect]}</Tag></Tooltip>
}

/** From where a setting comes. */
export function SourceChip({ source, name }: { source: ConfigSource; name: string | null }): ReactNode {
  return <Tooltip title={name === null ? '单独为这台设备设置' : name}><Tag color={colors[source]}>{config_sources[source]}</Tag></Tooltip>
}
