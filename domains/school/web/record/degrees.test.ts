import { expect, test } from 'vitest'
import { degreesOf } from './degrees.ts'

test.each<[unknown, number, number | null | undefined]>([
  ['120.382639', 180, 120.382639],
  ['１２０．５', 180, 120.5],
  [' 120.38263949° ', 180, 120.382639],
  ['-180', 180, -180],
  [36.5, 90, 36.5],
  [0, 90, 0],
  ['', 90, null],
  ['　', 90, null],
  [null, 90, null],
  ['200', 180, undefined],
  ['90.000001', 90, undefined],
  ['九十', 90, undefined],
  ['1e2', 180, undefined],
  ['120,36', 180, undefined],
])('%j of at most %d is read as %j', (typed, most, read) => {
  expect(degreesOf(typed, most)).toBe(read)
})
