import { describe, expect, test } from 'vitest'
import { dueDays, RepeatRule, streakOf } from './check-in.ts'
import type { CalendarDay } from './check-in.ts'

const rule = RepeatRule.parse({ from: '2026-09-21', to: '2026-10-11', weekdays: [1, 2, 3, 4, 5] })
const holiday = { is_school_day: false, weekday: null }
/** The holidays of October, and a working Saturday on which the lessons of Wednesday are given. */
const calendar = new Map<string, CalendarDay>([
  ...['2026-10-01', '2026-10-02', '2026-10-05', '2026-10-06', '2026-10-07'].map(day => [day, holiday] as const),
  ['2026-10-10', { is_school_day: true, weekday: 3 }] as const,
])

describe('the days of a check-in', () => {
  test.each([
    ['weekends and holidays are left out, a working Saturday counts', rule, ['2026-09-30', '2026-10-08', '2026-10-09', '2026-10-10']],
    ['on holidays too', { ...rule, skip_holiday: false }, ['2026-09-30', '2026-10-01', '2026-10-02', '2026-10-05', '2026-10-06', '2026-10-07', '2026-10-08', '2026-10-09']],
    ['on Wednesdays alone, and on what runs one', { ...rule, weekdays: [3] }, ['2026-09-30', '2026-10-10']],
  ])('%s', (_, own, expected) => {
    expect(dueDays(own, calendar, '2026-10-31').filter(day => day >= '2026-09-30')).toEqual(expected)
  })

  test('none is due after the day that is asked for, nor before the first', () => {
    expect(dueDays(rule, calendar, '2026-09-22')).toEqual(['2026-09-21', '2026-09-22'])
    expect(dueDays(rule, calendar, '2026-09-20')).toEqual([])
  })
})

describe('a streak', () => {
  const due = dueDays(rule, calendar, '2026-10-08')
  const but = (...left: string[]) => new Set(due.filter(day => !left.includes(day)))
  test.each([
    ['goes on over holidays and weekends', but(), { done: 9, streak: 9, longest: 9 }],
    ['is not broken by today as long as it lasts', but('2026-10-08'), { done: 8, streak: 8, longest: 8 }],
    ['begins anew after a due day that was left out', but('2026-09-28'), { done: 8, streak: 3, longest: 5 }],
    ['is none without a check-in', new Set<string>(), { done: 0, streak: 0, longest: 0 }],
  ])('%s', (_, given, expected) => {
    expect(streakOf(due, given, '2026-10-08')).toEqual({ due: 9, ...expected })
  })
})

test('a rule has a weekday, an end after its begin, and not more than 200 days', () => {
  const said = (more: object) => RepeatRule.safeParse({ ...rule, ...more }).error?.issues.map(issue => issue.message)
  expect(said({ weekdays: [] })).toEqual(['请选择打卡的星期'])
  expect(said({ to: '2026-09-20' })).toEqual(['结束日期不能早于开始日期'])
  expect(said({ to: '2027-09-20' })).toEqual(['打卡最多200天'])
  expect(said({ daily_until: '25:00' })).toEqual(['截止时间格式为08:00'])
})
