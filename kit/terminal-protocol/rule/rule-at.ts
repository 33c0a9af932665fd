import type { CloseRuleBody, DoorRuleBody, DoorSpan, SleepRuleBody, SleepSpan, Span } from './body.ts'

/** Asia/Shanghai has been eight hours ahead without summer time since 1991. */
const zone_ms = 8 * 3_600_000
const [minute_ms, day_ms, week_days] = [60_000, 86_400_000, 7] as const
/** 1 January 1970 was a Thursday. */
const first_weekday = 4

/** A moment at the school: the date `YYYY-MM-DD`, the weekday (Monday 1) and the minute of the day. */
export type SchoolMoment = { date: string; weekday: number; minute: number }

/** The date, weekday and minute of an instant in Asia/Shanghai. */
export function schoolMoment(at: Date): SchoolMoment {
  const local = at.getTime() + zone_ms
  return { date: new Date(local).toISOString().slice(0, 10), weekday: weekdayOf(Math.floor(local / day_ms)), minute: Math.floor((local % day_ms) / minute_ms) }
}

/** The first moment of a school's day. */
export function startOfDate(date: string): Date {
  return new Date(Date.parse(`${date}T00:00:00Z`) - zone_ms)
}

/** The day so many days later. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * day_ms).toISOString().slice(0, 10)
}

/** Monday 1 to Sunday 7. */
export function weekdayOfDate(date: string): number {
  return weekdayOf(Date.parse(`${date}T00:00:00Z`) / day_ms)
}

/** `HH:mm` in minutes of the day; 24:00 is 1440. */
export function minuteOf(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number)
  return hours * 60 + minutes
}

/** How a door stands by its rules at a moment; undefined when no rule says anything. What a fire or a command does stands above (chapter 30 rule 18). */
export function doorAt(body: DoorRuleBody, at: Date): DoorSpan | undefined {
  return spanAt<DoorSpan>(body, at)
}

/** Whether a device is to be off at a moment. */
export function isOffAt(body: CloseRuleBody, at: Date): boolean {
  return spanAt<Span>(body, at) !== undefined
}

/** How a screen sleeps at a moment; undefined when it stays awake. */
export function sleepAt(body: SleepRuleBody, at: Date): SleepSpan | undefined {
  return spanAt<SleepSpan>(body, at)
}

/** Since when a device that is off by its rule is off, or until when one was that is on; undefined when neither was within the last two days. */
export function lastTurn(body: CloseRuleBody, at: Date): Date | undefined {
  const now = isOffAt(body, at)
  const minute = Math.floor(at.getTime() / minute_ms)
  for (let back = 1; back <= 2 * (day_ms / minute_ms); back += 1) {
    if (isOffAt(body, new Date((minute - back) * minute_ms)) !== now) return new Date((minute - back + 1) * minute_ms)
  }
  return undefined
}

type Timed<T> = { dates: readonly { date: string; windows: readonly T[] }[]; weekly: Readonly<Partial<Record<number, readonly T[]>>> }

function spanAt<T extends Span>({ dates, weekly }: Timed<T>, at: Date): T | undefined {
  const { date, weekday, minute } = schoolMoment(at)
  const windows = dates.find(one => one.date === date)?.windows ?? weekly[weekday] ?? []
  return windows.find(({ from, to }) => minuteOf(from) <= minute && minute < minuteOf(to))
}

function weekdayOf(day: number): number {
  return ((day + first_weekday - 1) % week_days) + 1
}
