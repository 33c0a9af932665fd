import { expect, test } from 'vitest'
import { nextTime, stampOf } from './next-time.ts'

test.each([
  ['02:30', '2026-11-20T18:29:59Z', '2026-11-20T18:30:00Z'],
  ['02:30', '2026-11-20T18:30:00Z', '2026-11-21T18:30:00Z'],
  ['23:50', '2026-11-20T16:10:00Z', '2026-11-21T15:50:00Z'],
  ['00:00', '2026-12-31T15:59:59Z', '2026-12-31T16:00:00Z'],
  ['07:59', '2026-11-20T00:00:00Z', '2026-11-20T23:59:00Z'],
])('the next %s after %s is %s', (at, now, next) => {
  expect(nextTime(at, new Date(now))).toEqual(new Date(next))
})

test('a moment is named in the time of the school', () => {
  expect(stampOf(new Date('2026-11-20T18:30:05.900Z'))).toBe('20261121-023005')
})
