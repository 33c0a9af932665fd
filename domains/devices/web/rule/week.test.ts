import { expect, test } from 'vitest'
import { daysOf, paint, readClock, weekdaysText } from './week.ts'
import type { WeekWindow } from './week.ts'

const on = (...days: number[]) => Array.from({ length: 7 }, (_, day) => days.includes(day))
const closed = { mode: 'always_closed' as const, verify: [] }
const open = { mode: 'always_open' as const, verify: [] }

test('painting an empty week makes one window for the days of the rectangle', () => {
  expect(paint([], { day_from: 0, day_to: 4, from: 420, to: 480 }, open)).toEqual([{ weekdays: on(0, 1, 2, 3, 4), begin: '07:00', end: '08:00', ...open }])
})

test('painting over something cuts it, and what touches and says the same is joined', () => {
  const before: WeekWindow[] = [{ weekdays: on(0, 1), begin: '07:00', end: '09:00', ...open }]
  const cut = paint(before, { day_from: 1, day_to: 1, from: 450, to: 480 }, closed)
  expect(cut).toEqual([
    { weekdays: on(0), begin: '07:00', end: '09:00', ...open },
    { weekdays: on(1), begin: '07:00', end: '07:30', ...open },
    { weekdays: on(1), begin: '07:30', end: '08:00', ...closed },
    { weekdays: on(1), begin: '08:00', end: '09:00', ...open },
  ])
  expect(paint(cut, { day_from: 1, day_to: 1, from: 450, to: 480 }, open)).toEqual(before)
})

test('wiping takes times away', () => {
  expect(paint([{ weekdays: on(0), begin: '00:00', end: '24:00' }], { day_from: 0, day_to: 6, from: 0, to: 1440 }, null)).toEqual([])
})

test('what runs over midnight is seen on two days, Sunday into Monday too', () => {
  const days = daysOf([{ weekdays: on(6), begin: '22:00', end: '06:00' }])
  expect([days[6], days[0]]).toEqual([[{ from: 1320, to: 1440, brush: {} }], [{ from: 0, to: 360, brush: {} }]])
})

test.each([[on(0, 1, 2, 3, 4), '周一至周五'], [on(0, 1, 2, 3, 4, 5, 6), '每天'], [on(5, 6), '周六、周日'], [on(0, 2), '周一、周三']])('weekdays %j are %s', (weekdays, text) => {
  expect(weekdaysText(weekdays)).toBe(text)
})

test.each([['８：３０', '08:30'], ['8:30', '08:30'], ['0830', '08:30'], [' 24:00 ', '24:00'], ['25:99', '25:99'], ['八点', '八点'], ['', '']])('a time typed as %j is %j', (typed, read) => {
  expect(readClock(typed)).toBe(read)
})
