import { monthOf } from '@kit/server/db'
import type { MonthTable } from '@kit/server/db'
import { log_tables } from './log-columns.ts'

const day_ms = 86_400_000

/** Shortest time a journal is kept (等保), whatever is set. */
const least_keep_days = 180

/** The first month that is still kept. Whole months go: a month stays while its last day is younger than `keep_days`, of which 180 is the least. */
export function firstMonthKept(now: Date, keep_days: number): string {
  return monthOf(new Date(now.getTime() - Math.max(keep_days, least_keep_days) * day_ms))
}

/** The months of the journals (chapter 10 A2). */
export function journalMonths(now: Date, keep_days: number): MonthTable[] {
  const first = firstMonthKept(now, keep_days)
  return log_tables.map(table => ({ table, column: 'happened_at', holds: 'instant', first }))
}
