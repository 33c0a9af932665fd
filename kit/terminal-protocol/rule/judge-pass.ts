import type { PermissionBody } from '../jdev/row.ts'
import type { DoorRuleBody } from './body.ts'
import { doorAt, minuteOf, schoolMoment } from './rule-at.ts'

/** PASS_STATE of what a terminal decides by itself. */
const states = { passed: 1, no_right: 2, not_now: 3 } as const

/**
 * What a terminal of ours makes of somebody whom it knows: a fire opens, then the door's own rule, then his permissions, half open in Asia/Shanghai
 * (chapter 30 rules 17 and 18). `verify` = VERIFY_MODE by which he came. @returns PASS_STATE and why
 */
export function judgePass({ permissions, door, at, verify, is_fire = false }: { permissions: readonly PermissionBody[]; door: DoorRuleBody | undefined; at: Date; verify: number; is_fire?: boolean }): { result: number; reason: string } {
  const rule = door && doorAt(door, at)
  if (is_fire && door?.fire_opens !== false) return { result: states.passed, reason: 'fire' }
  if (rule?.mode === 'always_closed') return { result: states.not_now, reason: 'always_closed' }
  if (rule?.mode === 'always_open') return { result: states.passed, reason: 'always_open' }
  if (rule && rule.verify.length > 0 && !rule.verify.includes(verify)) return { result: states.no_right, reason: 'verify' }
  if (permissions.length === 0) return { result: states.no_right, reason: 'no_right' }
  return permissions.some(permission => holdsAt(permission, at)) ? { result: states.passed, reason: 'right' } : { result: states.not_now, reason: 'not_now' }
}

function holdsAt({ from, to, weekly }: PermissionBody, at: Date): boolean {
  if (at.getTime() < Date.parse(from) || at.getTime() >= Date.parse(to)) return false
  if (!weekly) return true
  const { weekday, minute } = schoolMoment(at)
  const of = (day: number) => (Object.entries(weekly).find(([key]) => Number(key) === day)?.[1] ?? []).map(window => window.split('-').map(minuteOf))
  const today = of(weekday).some(([a = 0, b = 0]) => minute >= a && (minute < b || b <= a))
  return today || of(weekday === 1 ? 7 : weekday - 1).some(([a = 0, b = 0]) => b < a && minute < b)
}
