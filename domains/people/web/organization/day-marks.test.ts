import { expect, test } from 'vitest'
import { dayAfter, dayLine, labelled, nextChange } from './day-marks.ts'

const today = '2026-11-20'

test('the line reaches from the first change to the last scheduled one', () => {
  const line = dayLine([{ day: '2026-12-20', changes: 2 }, { day: '2026-09-01', changes: 90 }], today)
  expect(line).toMatchObject({ first: '2026-09-01', days: 110, marks: [{ at: 0, day: '2026-09-01' }, { at: 110, day: '2026-12-20' }] })
  expect(nextChange(line, today, -1)).toBe('2026-09-01')
  expect(nextChange(line, today, 1)).toBe('2026-12-20')
  expect(nextChange(line, '2026-12-20', 1)).toBeNull()
})

test('a structure that never changed has no line', () => {
  expect(dayLine([], today)).toEqual({ first: today, days: 0, marks: [] })
  expect(dayLine([{ day: today, changes: 3 }], today).days).toBe(0)
})

test('the line goes back three years at most', () => {
  const line = dayLine([{ day: '2015-09-01', changes: 9 }, { day: '2026-09-01', changes: 1 }], today)
  expect(line.days).toBe(1098)
  expect(line.marks.map(mark => mark.day)).toEqual(['2026-09-01'])
})

test('crowded days are not written over each other, and today always is', () => {
  const line = dayLine([{ day: '2026-09-01', changes: 1 }, { day: '2026-09-02', changes: 1 }, { day: '2026-11-19', changes: 1 }], today)
  expect(labelled(line, 80)).toEqual([80, 0])
})

test('days are counted over the end of a month', () => {
  expect(dayAfter('2026-11-30', 1)).toBe('2026-12-01')
})
