import { Day } from '@kit/contract'
import { z } from 'zod'

export const most_repeat_days = 200
const day_ms = 86_400_000
const week = 7
const clock_time = /^([01]\d|2[0-3]):[0-5]\d$/

/** When a check-in is due: on these weekdays (1 Monday … 7 Sunday) of these days, each day until `daily_until` (chapter 60 §1.1). */
export const RepeatRule = z
  .strictObject({
    from: Day,
    to: Day,
    weekdays: z.array(z.number().int().min(1).max(week)).min(1, { error: '请选择打卡的星期' }).max(week),
    skip_holiday: z.boolean().default(true),
    daily_until: z.string().regex(clock_time, { error: '截止时间格式为08:00' }).nullable().default(null),
  })
  .refine(({ from, to }) => to >= from, { path: ['to'], error: '结束日期不能早于开始日期' })
  .refine(({ from, to }) => (Date.parse(to) - Date.parse(from)) / day_ms < most_repeat_days, {
    path: ['to'],
    error: `打卡最多${most_repeat_days}天`,
  })
export type RepeatRule = z.output<typeof RepeatRule>

/** A day as the calendar has it; `weekday` is the one whose lessons it runs, on a working Saturday that of another day. */
export type CalendarDay = { is_school_day: boolean; weekday: number | null }

/** The days on which a check-in is due, up to and with `upto`; a day that the calendar does not know is its own weekday (chapter 60 rule 21). */
export function dueDays(rule: RepeatRule, calendar: ReadonlyMap<string, CalendarDay>, upto: string): string[] {
  const last = upto < rule.to ? upto : rule.to
  const days: string[] = []
  for (let at = Date.parse(rule.from); at <= Date.parse(last); at += day_ms) {
    const day = new Date(at).toISOString().slice(0, 10)
    const own = ((new Date(at).getUTCDay() + week - 1) % week) + 1
    const known = rule.skip_holiday ? calendar.get(day) : undefined
    const is_free = known?.is_school_day === false
    if (!is_free && rule.weekdays.includes(known?.weekday ?? own)) days.push(day)
  }
  return days
}

export type Streak = { due: number; done: number; streak: number; longest: number }

/** How often somebody has checked in, and how often without a gap; only a due day breaks it, today only when it is over (chapter 60 rule 21). */
export function streakOf(due: readonly string[], given: ReadonlySet<string>, today: string): Streak {
  const [done, longest, streak] = due.reduce<[number, number, number]>(
    ([all, most, run], day) => {
      if (given.has(day)) return [all + 1, Math.max(most, run + 1), run + 1]
      return [all, most, day === today ? run : 0]
    },
    [0, 0, 0],
  )
  return { due: due.length, done, streak, longest }
}
