import { auditErrors } from '@campus/audit/contract'
import { most_days } from '@campus/audit/contract'
import { fail } from '@kit/contract'

const zone_ms = 8 * 3_600_000
const day_ms = 86_400_000
const default_days = 7

/** Days of a query, both included, and the moments they begin and end. */
export type Span = { from: string; to: string; begin: Date; end: Date }

/** The span of a query; without days the last seven. @throws Refusal 422 for more than 92 days, or an end before the beginning */
export function spanOf(asked: { from?: string; to?: string }, now: Date): Span {
  const today = new Date(now.getTime() + zone_ms).toISOString().slice(0, 10)
  const to = asked.to ?? laterOf(today, asked.from)
  const from = asked.from ?? shift(to, 1 - default_days)
  const days = (Date.parse(to) - Date.parse(from)) / day_ms + 1
  if (days < 1) throw fail(auditErrors.spanReversed)
  if (days > most_days) throw fail(auditErrors.spanTooLong)
  return { from, to, begin: startOf(from), end: startOf(shift(to, 1)) }
}

function laterOf(day: string, other: string | undefined): string {
  return other !== undefined && other > day ? other : day
}

function shift(day: string, by: number): string {
  return new Date(Date.parse(day) + by * day_ms).toISOString().slice(0, 10)
}

function startOf(day: string): Date {
  return new Date(Date.parse(day) - zone_ms)
}
