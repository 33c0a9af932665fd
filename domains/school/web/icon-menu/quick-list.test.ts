import { describe, expect, test } from 'vitest'
import { moved, toggled } from './quick-list.ts'
import { RECENT_LIMIT, withNewest } from './recent-list.ts'

describe('moving a page of the quick row', () => {
  test.each([
    [0, 2, 'bcad'], [3, 0, 'dabc'], [1, 1, 'abcd'], [0, 3, 'bcda'], [0, -1, 'abcd'], [3, 4, 'abcd'], [7, 0, 'abcd'], [-1, 0, 'abcd'],
  ])('from %i to %i gives %s', (from, to, after) => {
    expect(moved([...'abcd'], from, to).join('')).toBe(after)
  })
})

describe('the quick row', () => {
  const page = (path: string) => ({ path })
  const row = [...'abc'].map(page)
  test('takes a page at its end, and lets it go', () => {
    expect(toggled(row, page('d'), 8).map(({ path }) => path).join('')).toBe('abcd')
    expect(toggled(row, page('b'), 8).map(({ path }) => path).join('')).toBe('ac')
  })
  test('takes none when it is full, but still lets go', () => {
    expect(toggled(row, page('d'), 3)).toEqual(row)
    expect(toggled(row, page('c'), 3)).toHaveLength(2)
  })
})

test('the pages opened last: the newest first, each once, twelve at most', () => {
  expect(withNewest(['/A', '/B'], '/B')).toEqual(['/B', '/A'])
  const many = Array.from({ length: RECENT_LIMIT + 3 }, (_, at) => `/${at}`)
  expect(many.reduce<string[]>(withNewest, [])).toEqual(many.toReversed().slice(0, RECENT_LIMIT))
})
