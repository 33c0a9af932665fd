import { expect, test } from 'vitest'
import { moved, painted } from './paint.ts'

const size = { rows: 3, columns: 7 }
const spot = (row: number, column: number) => ({ row, column })

test.each([
  ['ArrowRight', spot(0, 6), true, spot(1, 0)],
  ['ArrowRight', spot(0, 6), false, spot(0, 6)],
  ['ArrowLeft', spot(1, 0), true, spot(0, 6)],
  ['ArrowLeft', spot(0, 0), true, spot(0, 0)],
  ['ArrowDown', spot(2, 3), true, spot(2, 3)],
  ['Home', spot(1, 4), true, spot(1, 0)],
  ['End', spot(1, 4), true, spot(1, 6)],
  ['PageDown', spot(0, 4), true, spot(2, 4)],
])('%s from %o leads on, weeks wrap: %s', (key, from, wraps, to) => {
  expect(moved(from, key, size, wraps)).toEqual(to)
})

test('another key does not move', () => {
  expect(moved(spot(0, 0), 'a', size, true)).toBe(undefined)
})

test('days are painted as a run in either direction, a timetable as a rectangle', () => {
  const run = [spot(0, 5), spot(0, 6), spot(1, 0), spot(1, 1)]
  expect([painted(spot(0, 5), spot(1, 1), 7, true), painted(spot(1, 1), spot(0, 5), 7, true)]).toEqual([run, run])
  expect(painted(spot(1, 1), spot(0, 0), 7, false)).toEqual([spot(0, 0), spot(0, 1), spot(1, 0), spot(1, 1)])
})
