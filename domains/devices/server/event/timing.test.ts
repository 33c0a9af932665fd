import { expect, test } from 'vitest'
import { timeOf } from './timing.ts'

const now = new Date('2026-11-28T08:00:00Z')
const minute = 60_000
const after = (ms: number) => new Date(now.getTime() + ms)

test.each([
  ['heard of at once', 0, 0, { event_time: now, time_state: 0 }],
  ['a minute ahead', minute, 0, { event_time: after(minute), time_state: 0 }],
  ['more than a minute ahead of its receipt', minute + 1, 0, { event_time: null, time_state: 2 }],
  ['30 rule 15 wall time written for UTC: eight hours ahead though the clock is right', 480 * minute, 0, { event_time: null, time_state: 2 }],
  ['a clock eight hours ahead, put right', 480 * minute, -480 * minute, { event_time: now, time_state: 1 }],
  ['a clock an hour behind, whose record is ahead when put right', 0, 60 * minute, { event_time: null, time_state: 2 }],
  ['a record of yesterday from a queue', -1440 * minute, 0, { event_time: after(-1440 * minute), time_state: 0 }],
  ['a clock that is wrong by more than a day', 0, -1441 * minute, { event_time: null, time_state: 2 }],
] as const)('%s', (_what, ahead, skew_ms, timing) => {
  expect(timeOf(after(ahead), now, skew_ms)).toEqual(timing)
})
