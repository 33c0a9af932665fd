import type { DeviceRule } from '@campus/devices/contract'
import { schoolToday } from '@kit/web'
import { dayjs } from '@kit/web/day'
import type { RuleKind } from './rule-words.ts'
import { newBody } from './use-rules.ts'
import type { WeekWindow } from './week.ts'

/** What stands in the form of a rule; its week stands beside it. */
export type RuleValues = { rule_name: string; priority: number; valid_from: string; valid_to: string | null; calendar_mode: DeviceRule['calendar_mode']; place_ids: string[]; device_ids: string[]; unlock_sec: number; held_open_sec: number; fire_opens: boolean; idle_minutes: number; brightness: number; wake_on: 'touch' | 'person' | 'card'; stays_on: string[] }

export const field_names = ['rule_name', 'priority', 'valid_from', 'valid_to', 'place_ids', 'device_ids', 'unlock_sec', 'held_open_sec', 'idle_minutes', 'brightness', 'stays_on'] as const

/** The form as it opens. */
export function valuesOf(kind: RuleKind, rule: DeviceRule | null, is_copy: boolean) {
  const { windows: _windows, kind: _kind, ...body } = rule?.body ?? newBody(kind)
  const stays_on = 'stays_on' in body ? { stays_on: body.stays_on.map(date => dayjs(date)) } : {}
  if (!rule) return { priority: 50, calendar_mode: 'every_day', valid_from: schoolToday(), valid_to: null, place_ids: [], device_ids: [], ...body, ...stays_on }
  return { ...rule, rule_name: is_copy ? `${rule.rule_name}-副本`.slice(0, 30) : rule.rule_name, place_ids: rule.places.map(one => one.id), device_ids: rule.devices.map(one => one.id), ...body, ...stays_on }
}

/** The draft as it stands, whether it is whole or not. */
export function draftOf(kind: RuleKind, values: Partial<RuleValues> | undefined, windows: readonly WeekWindow[]): unknown {
  if (!values) return null
  const { unlock_sec, held_open_sec, fire_opens, idle_minutes, brightness, wake_on, stays_on = [], ...rest } = values
  const plain = windows.map(({ weekdays, begin, end }) => ({ weekdays, begin, end }))
  const bodies = { 1: { kind, unlock_sec, held_open_sec, fire_opens, windows: windows.map(window => ({ ...window, mode: window.mode ?? 'normal' })) }, 2: { kind, windows: plain, stays_on: stays_on.map(date => dayjs(date).format('YYYY-MM-DD')) }, 3: { kind, idle_minutes, brightness, wake_on, windows: plain } }
  return { ...rest, body: bodies[kind] }
}

/** The field that a part of the draft stands in; none for the week. */
export function fieldsOf([first = '', second = '']: string[]): (keyof RuleValues)[] {
  return field_names.filter(name => name === (first === 'body' ? second : first))
}
