import { ending_days } from '@campus/school/contract'
import type { ModuleLine, ModulePeriod } from '@campus/school/contract'
import { daysBetween } from '../school-day.ts'

/** What a module is on a day, and how many days are left where it is ending. */
export type ModuleToday = Pick<ModuleLine, 'state' | 'days_left'>

/**
 * The state of a module on a day from its periods, which do not overlap: without any it is open and never ends; between periods and
 * after the last it is over, before the first it has not begun.
 */
export function moduleOn(periods: readonly ModulePeriod[], day: string): ModuleToday {
  if (periods.length === 0) return { state: 'open', days_left: null }
  const now = periods.find(period => period.valid_from <= day && (period.valid_to === null || day < period.valid_to))
  if (!now) return { state: periods.every(period => period.valid_from > day) ? 'future' : 'ended', days_left: null }
  return now.enabled ? { state: 'open', days_left: daysLeft(periods, now, day) } : { state: 'off', days_left: null }
}

function daysLeft(periods: readonly ModulePeriod[], now: ModulePeriod, day: string): number | null {
  const end = lastOpen(periods, now)
  if (end === null) return null
  const left = daysBetween(day, end)
  return left <= ending_days ? left : null
}

/** The first day without it: periods that follow on one another are one. */
function lastOpen(periods: readonly ModulePeriod[], now: ModulePeriod): string | null {
  const next = periods.find(period => period.enabled && period.valid_from === now.valid_to)
  return next ? lastOpen(periods, next) : now.valid_to
}
