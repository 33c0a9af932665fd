import { devicesErrors, most_export_days } from '@campus/devices/contract'
import { fail } from '@kit/contract'
import type { Failure } from '@kit/contract'

const day_ms = 86_400_000

/** From an instant until before another one. */
export type Span = { from: Date; to: Date }

/** The days of an export in the school's zone, the last one first. @throws Refusal 422 at `to` for more days than are exported together, and for none */
export function daySpans({ from, to }: { from: string; to: string }): Span[] {
  const [first, last] = [startOf(from), startOf(to)]
  const days = (last - first) / day_ms + 1
  if (days < 1) throw refusedAt('to', devicesErrors.exportOrder)
  if (days > most_export_days) throw refusedAt('to', devicesErrors.exportDays)
  return Array.from({ length: days }, (_, back) => ({ from: new Date(last - back * day_ms), to: new Date(last - (back - 1) * day_ms) }))
}

/** All of it in one, the days as `daySpans` gives them. */
export function wholeOf(days: readonly Span[]): Span {
  const [latest, earliest] = [days.at(0), days.at(-1)]
  if (!latest || !earliest) throw new Error('an export has days')
  return { from: earliest.from, to: latest.to }
}

function startOf(day: string): number {
  return Date.parse(`${day}T00:00:00+08:00`)
}

/** A refusal that stands at the field which caused it. */
export function refusedAt(field: string, failure: Failure, params: Record<string, number> = {}) {
  return fail(failure, { params, errors: [{ field, msg: fail(failure, { params }).message }] })
}
