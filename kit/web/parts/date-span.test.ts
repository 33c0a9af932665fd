import { expect, test } from 'vitest'
import { shiftSpan, spanLabel, spanOf } from './date-span.ts'

test.each([
  ['day', '2026-03-04', '2026-03-04', '2026-03-04', '2026-03-04'],
  ['week', '2026-03-04', '2026-03-02', '2026-03-08', '2026-03-02 ~ 2026-03-08'],
  ['week', '2026-03-08', '2026-03-02', '2026-03-08', '2026-03-02 ~ 2026-03-08'],
  ['week', '2026-03-02', '2026-03-02', '2026-03-08', '2026-03-02 ~ 2026-03-08'],
  ['week', '2027-01-01', '2026-12-28', '2027-01-03', '2026-12-28 ~ 2027-01-03'],
  ['month', '2028-02-29', '2028-02-01', '2028-02-29', '2028年2月'],
] as const)('%s of %s runs from %s to %s', (mode, day, from, to, label) => {
  expect(spanOf(mode, day)).toEqual({ mode, from, to })
  expect(spanLabel(spanOf(mode, day))).toBe(label)
})

test.each([
  ['day', '2026-03-01', -1, '2026-02-28', '2026-02-28'],
  ['week', '2026-03-04', 1, '2026-03-09', '2026-03-15'],
  ['month', '2026-01-31', 1, '2026-02-01', '2026-02-28'],
  ['month', '2026-01-31', -1, '2025-12-01', '2025-12-31'],
] as const)('%s of %s moved by %i runs from %s to %s', (mode, day, steps, from, to) => {
  expect(shiftSpan(spanOf(mode, day), steps)).toEqual({ mode, from, to })
})
