import { addDays, schoolMoment, weekdayOfDate } from '@kit/terminal-protocol'
import { covers, day_match } from './facts.ts'
import type { Calendar, Period, Rule, Version, Way } from './facts.ts'

/** Minutes of a day, half open. */
export type Minutes = readonly [begin: number, end: number]

const day_minutes = 1440

/** The version of a rule that is in force at an instant. */
export function versionAt(rule: Rule | undefined, at: number): Version | undefined {
  return rule?.versions.find(version => covers(version, at))
}

/** The open minutes of a calendar day under one version, merged; what began on the day before and crosses midnight counts (R2). */
export function dayMinutes(version: Version, calendar: Calendar, of: { grade: string | null; date: string; direction: Way }): Minutes[] {
  const before = begun(version, calendar, { ...of, date: addDays(of.date, -1) })
  const spilled = before.filter(([, end]) => end > day_minutes).map(([begin, end]): Minutes => [Math.max(begin - day_minutes, 0), end - day_minutes])
  const own = begun(version, calendar, of).map(([begin, end]): Minutes => [begin, Math.min(end, day_minutes)])
  return merged([...spilled, ...own])
}

/** Whether a version lets pass at an instant. */
export function isOpenAt(version: Version, calendar: Calendar, of: { grade: string | null; direction: Way }, at: number): boolean {
  const { date, minute } = schoolMoment(new Date(at))
  const holds = (day: string, of_day: number) => begun(version, calendar, { ...of, date: day }).some(([begin, end]) => begin <= of_day && of_day < end)
  return holds(date, minute) || holds(addDays(date, -1), minute + day_minutes)
}

/** Minutes of several sources as few spans, in order. */
export function merged(minutes: readonly Minutes[]): Minutes[] {
  const result: Minutes[] = []
  for (const [begin, end] of minutes.toSorted((a, b) => a[0] - b[0])) {
    const last = result.at(-1)
    if (last && begin <= last[1]) result[result.length - 1] = [last[0], Math.max(last[1], end)]
    else result.push([begin, end])
  }
  return result
}

/** Minutes that begin on a date, beyond midnight where they cross it: its own list where the rule has one (R4), else the matching periods (R3). */
function begun({ periods, dates }: Version, calendar: Calendar, { grade, date, direction }: { grade: string | null; date: string; direction: Way }): Minutes[] {
  const own = dates.filter(one => one.date === date)
  if (own.length === 0) return periods.filter(period => period.direction === direction && matches(period, calendar, grade, date)).map(({ begin_min, end_min }) => [begin_min, end_min])
  return own.flatMap(({ closed, direction: way, begin_min, end_min }): Minutes[] => (closed || begin_min === null || end_min === null || (way !== null && way !== direction) ? [] : [[begin_min, end_min]]))
}

/** 返校日 lies before a teaching day, 放假日 is the last one of a run: both move with the calendar by themselves. */
function matches({ day_match: match, week_flags }: Period, calendar: Calendar, grade: string | null, date: string): boolean {
  const flagged = (weekday: number) => week_flags?.[weekday - 1] === true
  if (match === day_match.every) return true
  if (match === day_match.iso) return flagged(weekdayOfDate(date))
  const day = calendar(grade, date)
  if (match === day_match.teaching) return day.is_teaching && flagged(day.weekday)
  if (match === day_match.resting) return !day.is_teaching
  const next = calendar(grade, addDays(date, 1))
  return match === day_match.returning ? !day.is_teaching && next.is_teaching : day.is_teaching && !next.is_teaching
}
