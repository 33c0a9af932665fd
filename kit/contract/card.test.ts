import { expect, test } from 'vitest'
import { isLayout, isOverlap } from './card.ts'
import type { Placed } from './card.ts'

const at = (code: string, x: number, y: number, w: number, h: number): Placed => ({ code, x, y, w, h })
const least = (): readonly [number, number] => [2, 1]

test.each<[string, Placed[], boolean]>([
  ['nothing', [], true],
  ['two beside each other', [at('a', 0, 0, 6, 2), at('b', 6, 0, 6, 2)], true],
  ['two under each other', [at('a', 0, 0, 12, 2), at('b', 0, 2, 12, 1)], true],
  ['one cell shared', [at('a', 0, 0, 6, 2), at('b', 5, 1, 6, 2)], false],
  ['beyond the columns', [at('a', 7, 0, 6, 2)], false],
  ['left of the columns', [at('a', -1, 0, 6, 2)], false],
  ['above the first row', [at('a', 0, -1, 6, 2)], false],
  ['smaller than it can be read', [at('a', 0, 0, 1, 1)], false],
  ['twice', [at('a', 0, 0, 2, 1), at('a', 4, 0, 2, 1)], false],
  ['overlap far down in the list', [at('a', 0, 0, 4, 1), at('b', 4, 0, 4, 1), at('c', 3, 0, 4, 1)], false],
])('a layout of %s', (_what, items, fits) => {
  expect(isLayout(items, least)).toBe(fits)
})

test('cards that only touch do not overlap', () => {
  expect(isOverlap(at('a', 0, 0, 2, 2), at('b', 2, 0, 2, 2))).toBe(false)
  expect(isOverlap(at('a', 0, 0, 2, 2), at('b', 1, 1, 2, 2))).toBe(true)
})
