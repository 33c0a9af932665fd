import { isLayout } from '@kit/contract'
import type { Placed } from '@kit/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { added, moved, removed, resized, settled, stepped, usualLayout } from './placing.ts'

const at = (code: string, x: number, y: number, w = 4, h = 2): Placed => ({ code, x, y, w, h })
const shown = (items: readonly Placed[]) => items.toSorted((one, other) => (one.code < other.code ? -1 : 1)).map(({ code, x, y, w, h }) => `${code} ${x},${y} ${w}x${h}`)
const column = [at('a', 0, 0), at('b', 0, 2), at('c', 0, 4)]
const row = [at('a', 0, 0), at('b', 4, 0), at('c', 8, 0)]
const least = () => [1, 1] as const

describe('a card that is moved', () => {
  test.each<[string, readonly Placed[], Placed[], string[]]>([
    ['down past the next', column, moved(column, 'a', 0, 2), ['a 0,2 4x2', 'b 0,0 4x2', 'c 0,4 4x2']],
    ['not far enough down', column, moved(column, 'a', 0, 1), ['a 0,0 4x2', 'b 0,2 4x2', 'c 0,4 4x2']],
    ['to the bottom', column, moved(column, 'a', 0, 9), ['a 0,4 4x2', 'b 0,0 4x2', 'c 0,2 4x2']],
    ['up past the one before', column, moved(column, 'c', 0, 2), ['a 0,0 4x2', 'b 0,4 4x2', 'c 0,2 4x2']],
    ['to free columns', column, moved(column, 'c', 4, 0), ['a 0,0 4x2', 'b 0,2 4x2', 'c 4,0 4x2']],
    ['beyond the columns', row, moved(row, 'a', 40, 0), ['a 8,2 4x2', 'b 4,0 4x2', 'c 8,0 4x2']],
    ['above the first row', column, moved(column, 'b', 0, -5), ['a 0,2 4x2', 'b 0,0 4x2', 'c 0,4 4x2']],
    ['that is not there', row, moved(row, 'x', 0, 0), ['a 0,0 4x2', 'b 4,0 4x2', 'c 8,0 4x2']],
  ])('%s', (_what, _before, after, wanted) => {
    expect(shown(after)).toEqual(wanted)
  })
})

test('keys take a card a column sideways, and up or down past its neighbour', () => {
  expect(shown(stepped(column, 'a', 1, 0))).toEqual(['a 1,0 4x2', 'b 0,2 4x2', 'c 0,4 4x2'])
  expect(shown(stepped(column, 'a', 0, 1))).toEqual(['a 0,2 4x2', 'b 0,0 4x2', 'c 0,4 4x2'])
  expect(shown(stepped(column, 'c', 0, -1))).toEqual(['a 0,0 4x2', 'b 0,4 4x2', 'c 0,2 4x2'])
  expect(shown(stepped(column, 'a', 0, -1))).toEqual(shown(column))
  expect(shown(stepped(row, 'a', -1, 0))).toEqual(shown(row))
})

test.each<[string, number, number, string]>([
  ['wider', 6, 2, 'a 0,0 6x2'],
  ['as wide as there are columns', 99, 2, 'a 0,0 12x2'],
  ['smaller than it can be read', 1, 0, 'a 0,0 2x1'],
])('a card made %s', (_what, w, h, wanted) => {
  const after = resized(row, 'a', w, h, [2, 1])
  expect(shown(after)[0]).toBe(wanted)
  expect(isLayout(after, least)).toBe(true)
})

test('a new card takes the first place where it fits, and what is under a removed one moves up', () => {
  expect(shown(added(column, { code: 'd', usual: [8, 1] }))[3]).toBe('d 4,0 8x1')
  expect(shown(added(row, { code: 'd', usual: [12, 1] }))[3]).toBe('d 0,2 12x1')
  expect(shown(removed(column, 'a'))).toEqual(['b 0,0 4x2', 'c 0,2 4x2'])
  expect(shown(usualLayout([{ code: 'a', usual: [8, 2] }, { code: 'b', usual: [4, 4] }, { code: 'c', usual: [8, 1] }]))).toEqual(['a 0,0 8x2', 'b 8,0 4x4', 'c 0,2 8x1'])
})

test('whatever is done, cards stay inside the columns and off each other', () => {
  const step = fc.tuple(fc.constantFrom('move', 'size', 'up', 'down', 'out', 'in'), fc.integer({ min: 0, max: 5 }), fc.integer({ min: -3, max: 15 }), fc.integer({ min: -3, max: 20 }))
  fc.assert(fc.property(fc.array(step, { maxLength: 20 }), steps => {
    const last = steps.reduce<Placed[]>((items, [kind, no, one, two]) => {
      const code = `c${no}`
      if (kind === 'move') return moved(items, code, one, two)
      if (kind === 'size') return resized(items, code, one, two, [2, 1])
      if (kind === 'out') return removed(items, code)
      if (kind === 'in') return items.some(item => item.code === code) ? items : added(items, { code, usual: [3, 2] })
      return stepped(items, code, 0, kind === 'up' ? -1 : 1)
    }, usualLayout([{ code: 'c0', usual: [4, 2] }, { code: 'c1', usual: [8, 3] }, { code: 'c2', usual: [2, 2] }]))
    expect(isLayout(last, least)).toBe(true)
    expect(shown(settled(last))).toEqual(shown(last))
  }))
})
