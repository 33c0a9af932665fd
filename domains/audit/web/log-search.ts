import { schoolToday, spanOf } from '@kit/web'
import type { DateSpan, PageSearch, SpanMode } from '@kit/web'

/** Days of a journal, both included. */
export type Days = { from: string; to: string }

const day_form = /^\d{4}-\d\d-\d\d$/
const day_ms = 86_400_000
/** Days the strip shows; no query may span more. */
export const strip_days = 92

/** Sizes a page of a journal may have are those of every list. */
export const default_size = 20

/** The days of the address bar; without them the current week. */
export function daysOf({ from, to }: PageSearch): Days {
  if (from !== undefined && to !== undefined && day_form.test(from) && day_form.test(to)) return { from, to }
  const { from: monday, to: sunday } = spanOf('week', schoolToday())
  return { from: monday, to: sunday }
}

/** The tab that shows exactly these days; null for a span that was brushed. */
export function tabOf({ from, to }: Days): DateSpan | null {
  const modes: SpanMode[] = ['day', 'week', 'month']
  return modes.map(mode => spanOf(mode, from)).find(span => span.from === from && span.to === to) ?? null
}

/** The day `by` days later. */
export function shiftDay(day: string, by: number): string {
  return new Date(Date.parse(day) + by * day_ms).toISOString().slice(0, 10)
}

/** The days of the strip: 92 that end today, or that hold the chosen ones when these lie further back or ahead. */
export function stripOf({ from, to }: Days, today: string): Days {
  const last = from < shiftDay(today, 1 - strip_days) ? shiftDay(from, strip_days - 1) : today
  const end = last < to && to <= shiftDay(from, strip_days - 1) && last < from ? to : last
  return { from: shiftDay(end, 1 - strip_days), to: end }
}

/** What the address bar holds besides the filters. */
const own_names: readonly string[] = ['from', 'to', 'cursor', 'page_size', 'log_id']

/** The filters of the address bar. */
export function filtersOf(search: PageSearch): Record<string, string> {
  return Object.fromEntries(Object.entries(search).filter(([name]) => !own_names.includes(name)))
}

/** The address bar with some values changed; whatever changes, reading begins again at the newest row. */
export function withSearch(search: PageSearch, patch: Record<string, string | undefined>): PageSearch {
  const { cursor: _cursor, ...rest } = search
  return Object.fromEntries(Object.entries({ ...rest, ...patch }).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== ''))
}
