import type { CalendarDay } from '@campus/devices/contract'
import { addDays, weekdayOfDate } from '@kit/terminal-protocol'

/** Holidays of the State Council's notices: first and last day, and the days that are worked for it. A year that is not here is not known yet. */
const holidays: readonly { name: string; begin: string; end: string; make_up: readonly string[] }[] = [
  { name: '元旦', begin: '2026-01-01', end: '2026-01-03', make_up: ['2026-01-04'] },
  { name: '春节', begin: '2026-02-15', end: '2026-02-23', make_up: ['2026-02-14', '2026-02-28'] },
  { name: '清明节', begin: '2026-04-04', end: '2026-04-06', make_up: [] },
  { name: '劳动节', begin: '2026-05-01', end: '2026-05-05', make_up: ['2026-05-09'] },
  { name: '端午节', begin: '2026-06-19', end: '2026-06-21', make_up: [] },
  { name: '中秋节', begin: '2026-09-25', end: '2026-09-27', make_up: [] },
  { name: '国庆节', begin: '2026-10-01', end: '2026-10-07', make_up: ['2026-09-20', '2026-10-10'] },
]
const last_known = '2026-12-31'
const [friday, week_days] = [5, 7] as const

/** How a day counts nationally. */
export function calendarDay(date: string): CalendarDay {
  const weekday = weekdayOfDate(date)
  const make_up = holidays.find(one => one.make_up.includes(date))
  if (make_up) return { date, weekday, kind: 'make_up', name: `${make_up.name}调休上班`, follows_weekday: replacedWeekday(make_up, date) }
  const holiday = holidays.find(one => one.begin <= date && date <= one.end)
  if (holiday) return { date, weekday, kind: 'holiday', name: holiday.name, follows_weekday: null }
  if (date > last_known) return { date, weekday, kind: 'unknown', name: '节假日安排尚未公布', follows_weekday: null }
  return { date, weekday, kind: weekday > friday ? 'weekend' : 'workday', name: null, follows_weekday: null }
}

/** The days of a span, beginning with `from`. */
export function daysFrom(from: string, count: number): CalendarDay[] {
  return Array.from({ length: count }, (_, n) => calendarDay(addDays(from, n)))
}

/** The Monday of the week of a date. */
export function mondayOf(date: string): string {
  return addDays(date, 1 - weekdayOfDate(date))
}

/** Days that are worked for a holiday replace its last workdays, in their order. */
function replacedWeekday({ begin, end, make_up }: (typeof holidays)[number], date: string): number {
  const length = (Date.parse(end) - Date.parse(begin)) / 86_400_000 + 1
  const workdays = Array.from({ length }, (_, n) => weekdayOfDate(addDays(begin, n))).filter(weekday => weekday <= friday)
  return workdays.slice(-make_up.length)[make_up.indexOf(date)] ?? week_days
}
