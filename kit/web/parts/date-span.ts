import { dayjs } from '../day/index.ts'

/** A day, a week from Monday to Sunday, or a calendar month. */
export type SpanMode = 'day' | 'week' | 'month'

/** Both ends included, `YYYY-MM-DD`. */
export type DateSpan = { mode: SpanMode; from: string; to: string }

const FORMAT = 'YYYY-MM-DD'

/** The span of `mode` that holds `day`. */
export function spanOf(mode: SpanMode, day: string): DateSpan {
  const at = dayjs(day)
  if (mode === 'day') return { mode, from: at.format(FORMAT), to: at.format(FORMAT) }
  if (mode === 'month') return { mode, from: at.startOf('month').format(FORMAT), to: at.endOf('month').format(FORMAT) }
  const monday = at.subtract((at.day() + 6) % 7, 'day')
  return { mode, from: monday.format(FORMAT), to: monday.add(6, 'day').format(FORMAT) }
}

/** The span `steps` after (or before) this one. */
export function shiftSpan(span: DateSpan, steps: number): DateSpan {
  return spanOf(span.mode, dayjs(span.from).add(steps, span.mode).format(FORMAT))
}

/** What the span is called: 2026-03-04, 2026-03-02 ~ 2026-03-08, 2026年3月. */
export function spanLabel(span: DateSpan): string {
  if (span.mode === 'day') return span.from
  if (span.mode === 'week') return `${span.from} ~ ${span.to}`
  return dayjs(span.from).format('YYYY年M月')
}
