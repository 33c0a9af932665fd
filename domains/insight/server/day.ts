import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'

const school_zone_ms = 8 * 3_600_000
const day_ms = 86_400_000

/** The day in Asia/Shanghai, `YYYY-MM-DD`. */
export function schoolDay(now: Date): string {
  return new Date(now.getTime() + school_zone_ms).toISOString().slice(0, 10)
}

/** The day `n` days later (earlier when negative). */
export function addDays(day: string, n: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + n * day_ms).toISOString().slice(0, 10)
}

/** Does the dated row named `alias` hold on the day? The end is exclusive; null = open. */
export function validOn(alias: string, day: string): RawBuilder<boolean> {
  const from = sql.ref(`${alias}.valid_from`)
  const to = sql.ref(`${alias}.valid_to`)
  return sql<boolean>`(${from} <= ${day}::date and (${to} is null or ${to} > ${day}::date))`
}
