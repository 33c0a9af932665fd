import { expect, test } from 'vitest'
import { pageTotal } from './page-total.ts'

const none = () => Promise.reject(new Error('not asked'))

test('a page past the last one still knows how many there are', async () => {
  expect(await pageTotal([{ total: 47 }, { total: 47 }], 2, none)).toBe(47)
  expect(await pageTotal([], 99, async () => [{ total: '47' }])).toBe(47)
  expect([await pageTotal([], 1, none), await pageTotal([], 3, async () => [])]).toEqual([0, 0])
})
