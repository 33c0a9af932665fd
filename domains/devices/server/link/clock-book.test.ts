import { describe, expect, test } from 'vitest'
import { recordOf } from '../event/heard.ts'
import { ClockBook, skewNow } from './clock-book.ts'

const minute = 60_000
/** A device that has come and beaten so often. */
function heard(...beats: number[]): ClockBook {
  const book = new ClockBook()
  book.arrive(beats[0] ?? 0, {})
  for (const skew_ms of [0, ...beats]) book.beat(skew_ms)
  return book
}

describe('30-3.15 the skew of a clock is the median of five heartbeats', () => {
  test.each([
    ['one held up for two minutes is not a wrong clock', [10, 20, 120_000, 0, 30], 20],
    ['the oldest of six is forgotten', [minute * 5, 61_000, 62_000, 63_000, 64_000, 65_000], 63_000],
    ['it turns when three of five have turned', [0, 0, -70_000, -70_000, -70_000], -70_000],
    ['a clock of another century is as far off as can be told', Array.from({ length: 5 }, () => 1.8e12), 2_147_483_647],
  ])('%s', (_what, beats, clock_skew_ms) => {
    expect(heard(...beats).told).toEqual({ clock_skew_ms, clock_is_sure: true })
  })

  test('before five it is told and not acted upon, and the first one after a greeting is of the clock before', () => {
    const book = new ClockBook()
    expect(book.told).toEqual({ clock_skew_ms: null, clock_is_sure: false })
    book.arrive(-137_000, {})
    book.beat(-137_000)
    expect(book.told).toEqual({ clock_skew_ms: -137_000, clock_is_sure: false })
    for (let beats = 0; beats < 4; beats += 1) book.beat(5)
    expect(book.told).toEqual({ clock_skew_ms: 5, clock_is_sure: false })
    book.beat(5)
    expect(book.told.clock_is_sure).toBe(true)
    book.setRight()
    expect(book.told).toEqual({ clock_skew_ms: null, clock_is_sure: false })
  })
})

test.each([
  ['nothing else is known', 90_000, [], 90_000],
  ['the heartbeats say about the same', 1500, [0, 10, 20], 10],
  ['the message was held up', 95_000, [0, 10, 20], 10],
  ['the clock has been set forward since', -80_000, [0, 10, 20], -80_000],
  ['the clock has been set back since, and beaten once', 0, [-137_000, -137_000, 5], 0],
])('a record is put right by its message where %s', (_what, message_ms, beats, skew_ms) => {
  expect(skewNow(message_ms, beats)).toBe(skew_ms)
})

test.each([
  ['numbers', { waiting: 2 }, [7, 8, 9], [1, 1, 0]],
  ['its clock, where it has not counted them', { upto: new Date('2026-12-01T08:00:08Z') }, [7, 8, 9], [1, 1, 0]],
])('30-3.15 records that waited in a device are put right by the clock that they were made by, though it was set when it came: by their %s', (_what, waiting, seqs, states) => {
  const book = new ClockBook()
  book.arrive(-137_000, waiting)
  // The first message of records and the next one, by a clock that is right.
  const hearing = [book.hearing(0, 7), book.hearing(0, 8)].at(-1) ?? book.hearing(0, 7)
  const now = new Date('2026-12-01T08:00:30Z')
  const records = seqs.map(seq => recordOf({ seq, type: 'pass' }, `2026-12-01T08:00:0${seq}.000Z`, { epoch: 'e', now, ...hearing }))
  expect(records.map(row => row.time_state)).toEqual(states)
  expect(records[0]?.event_time).toBe('2026-12-01T07:57:50.000Z')
})
