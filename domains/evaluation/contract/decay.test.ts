import { expect, test } from 'vitest'
import { dayReached, half_life_table, worthAfter, worthOn } from './decay.ts'

const monthly = { decay: 1, half_life_days: 30 }

test('55-A30 half-life of 30 days: 1000 thousandths are 500 on day 30 and 250 on day 60', () => {
  expect([0, 30, 60, 90].map(days => worthAfter(1000, monthly, days))).toEqual([1000, 500, 250, 125])
  expect([1, 15, 29, 45].map(days => worthAfter(1000, monthly, days))).toEqual([978, 707, 516, 353])
  expect(worthAfter(-1000, monthly, 45)).toBe(-353)
  expect([worthAfter(1000, monthly, 4000), worthAfter(100_000, monthly, 300)]).toEqual([0, 97])
})

test('55-A30 a star of the term is whole on its last day and nothing on the day after', () => {
  const of_term = { decay: 2, half_life_days: null }
  expect([
    worthOn(1000, of_term, '2026-09-10', '2027-01-22', '2027-01-22'),
    worthOn(1000, of_term, '2026-09-10', '2027-01-23', '2027-01-22'),
  ]).toEqual([1000, 0])
  expect(worthOn(1000, { decay: 0, half_life_days: null }, '2020-01-01', '2027-01-01', '2020-07-01')).toBe(1000)
})

test('55 rule 43: a level has the day on which it was reached first, whatever is left of it later', () => {
  const star = (day: string, milli = 1000) => ({ day, milli, term_end: '2027-01-22' })
  const plain = { decay: 0, half_life_days: null }
  expect(dayReached([star('2026-09-20'), star('2026-09-10')], plain, 2000)).toBe('2026-09-20')
  expect(dayReached([star('2026-09-10')], plain, 1)).toBe('2026-09-10')
  expect([dayReached([], plain, 1), dayReached([star('2026-09-10')], plain, 1001)]).toEqual([null, null])
  const faded = [star('2026-09-01'), star('2026-10-01'), star('2026-10-01')]
  expect([dayReached(faded, monthly, 2500), dayReached(faded, monthly, 2501)]).toEqual(['2026-10-01', null])
  const next_term = [star('2026-09-10'), { day: '2027-03-01', milli: 1000, term_end: '2027-07-01' }]
  expect([dayReached(next_term, { decay: 2, half_life_days: null }, 2000), dayReached(next_term, plain, 2000)]).toEqual([null, '2027-03-01'])
})

test('the table goes down, in whole numbers from a whole to a half', () => {
  expect(half_life_table).toHaveLength(64)
  expect(
    half_life_table.every((value, at) => Number.isInteger(value) && (at === 0 ? value === 65_536 : value < (half_life_table[at - 1] ?? 0))),
  ).toBe(true)
  expect(half_life_table.at(-1)).toBeGreaterThan(32_768)
})
