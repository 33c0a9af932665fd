import type { Config } from '@kit/server/config'
import type { Clock } from '@kit/server/http'

const school_zone_ms = 8 * 3_600_000
const day_ms = 86_400_000

/** The day the demo data are made for: the setting, else today in Asia/Shanghai. */
export function demoToday({ config, clock }: { config: Pick<Config, 'CAMPUS_DEMO_TODAY'>; clock: Clock }): string {
  return config.CAMPUS_DEMO_TODAY ?? new Date(clock.now().getTime() + school_zone_ms).toISOString().slice(0, 10)
}

/** The first calendar year of the school year (from 1 September) that holds the day. */
export function schoolYearOf(day: string): number {
  const year = Number(day.slice(0, 4))
  return day.slice(5) >= '09-01' ? year : year - 1
}

/** The first day of a school year. */
export function firstDay(school_year: number): string {
  return `${school_year}-09-01`
}

/** The day `n` days later (earlier when negative). */
export function addDays(day: string, n: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + n * day_ms).toISOString().slice(0, 10)
}

/** The day itself from Monday to Friday, else the Friday before. */
export function workday(day: string): string {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  return weekday === 0 ? addDays(day, -2) : weekday === 6 ? addDays(day, -1) : day
}

/** Midnight of a day in the schools' time zone. */
export function startOfDay(day: string): Date {
  return new Date(`${day}T00:00:00+08:00`)
}
