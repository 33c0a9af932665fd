import { day_minutes } from '@campus/leave/contract'

/** Instants of a span, in ms. */
export type Span = { begin: number; end: number }
/** One day as the calendar says it: lessons by the clock, and where the halves meet. */
export type DayPlan = { date: string; is_school_day: boolean; lessons: readonly Span[]; begin: number; noon: number; end: number }
export type Measured = { minutes: number; school_days: number; lessons: number }
/** `whole_days`: boarders and staff, for whom a day is from midnight to midnight. */
export type Half = 'day' | 'am' | 'pm'

const minute_ms = 60_000
export const day_ms = 86_400_000
const half_day = 0.5

/** Midnight of a day of the school's clock. */
function midnight(date: string): number {
  return Date.parse(`${date}T00:00:00+08:00`)
}

/** The clock of a day, in ms. */
export function clockAt(date: string, minutes: number): number {
  return midnight(date) + minutes * minute_ms
}

/** The day of an instant by the school's clock. */
export function dateAt(instant: number): string {
  return new Date(instant + 8 * 3_600_000).toISOString().slice(0, 10)
}

/**
 * What whole and half days mean by the clock (chapter 70 L1): a morning ends where the afternoon begins, so that two halves of one day meet and do not overlap.
 * @returns null when the first or last day has no such half
 */
export function resolveHalf(first: DayPlan, last: DayPlan, half: Half, whole_days: boolean): Span | null {
  if (half === 'day') return whole_days ? { begin: midnight(first.date), end: midnight(last.date) + day_ms } : { begin: first.begin, end: last.end }
  const span = half === 'am' ? { begin: first.begin, end: first.noon } : { begin: first.noon, end: first.end }
  return span.end > span.begin ? span : null
}

/**
 * Length of a span (chapter 70 L2): lessons that it touches, school days in parts of their halves, and minutes, in which a whole school day counts as 24 hours so that
 * limits and conditions in days mean school days. A day off costs nothing.
 */
export function measureSpan({ begin, end }: Span, days: readonly DayPlan[]): Measured {
  let [lessons, school_days] = [0, 0]
  for (const day of days.filter(one => one.is_school_day)) {
    lessons += touched(day.lessons, { begin, end })
    school_days += partOfDay(day, { begin, end })
  }
  const rounded = Math.round(school_days * 100) / 100
  const elapsed = Math.ceil((end - begin) / minute_ms)
  return { lessons, school_days: rounded, minutes: rounded >= 1 ? Math.max(elapsed, Math.round(rounded * day_minutes)) : elapsed }
}

function partOfDay(day: DayPlan, span: Span): number {
  const halves = [{ begin: day.begin, end: day.noon }, { begin: day.noon, end: day.end }].filter(half => half.end > half.begin)
  const weight = halves.length === 1 ? 1 : half_day
  return halves.reduce((sum, half) => {
    const own = day.lessons.filter(lesson => lesson.begin >= half.begin && lesson.begin < half.end)
    const part = own.length > 0 ? touched(own, span) / own.length : overlap(half, span) / (half.end - half.begin)
    return sum + weight * part
  }, 0)
}

function touched(lessons: readonly Span[], span: Span): number {
  return lessons.filter(lesson => overlap(lesson, span) > 0).length
}

function overlap(one: Span, other: Span): number {
  return Math.max(0, Math.min(one.end, other.end) - Math.max(one.begin, other.begin))
}
