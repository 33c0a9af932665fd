import { door_mode_names, rule_kinds } from '@campus/devices/contract'
import type { DeviceRule, DoorWindow, PreviewDevice } from '@campus/devices/contract'

export type RuleKind = DeviceRule['rule_kind']

/** What is painted, by kind of rule. */
export function modeName(kind: RuleKind, mode: DoorWindow['mode'] | undefined): string {
  if (kind === 1) return door_mode_names[mode ?? 'normal']
  return kind === 2 ? '关机' : '休眠'
}

/** How a device follows, in words. */
export const way_names: Readonly<Record<PreviewDevice['way'], string>> = { rule: '设备按规则执行', permissions: '从人员权限中扣除常闭时段', unsupported: '不支持', gate: '校门通道，不会关机' }

export function kindName(kind: RuleKind): string {
  return rule_kinds[kind]
}
