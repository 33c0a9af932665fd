import { expect, test } from 'vitest'
import { fallbackPage, listQueryOf, withValues } from './list-query.ts'

test.each([
  [{}, undefined, { page_index: 1, page_size: 20, values: {} }],
  [{}, 50, { page_index: 1, page_size: 50, values: {} }],
  [{ page_size: '100', page_index: '3', sex: '1' }, 50, { page_index: 3, page_size: 100, values: { sex: '1' } }],
  [{ page_size: '21', page_index: '0' }, 7, { page_index: 1, page_size: 20, values: {} }],
  [{ page_index: '2.5' }, undefined, { page_index: 1, page_size: 20, values: {} }],
  [{ page_index: 'x' }, undefined, { page_index: 1, page_size: 20, values: {} }],
])('the address %j with remembered size %j asks for %j', (search, remembered, query) => {
  expect(listQueryOf(search, remembered)).toEqual(query)
})

test.each([
  [1, 20, 0, undefined],
  [2, 20, 0, 1],
  [202, 20, 4032, undefined],
  [203, 20, 4032, 202],
  [99, 300, 4032, 14],
  [3, 20, 40, 2],
])('page %i of size %i in %i rows falls back to %j', (page_index, page_size, total, last) => {
  expect(fallbackPage(page_index, page_size, total)).toBe(last)
})

test('changing a filter starts paging again and drops what is empty', () => {
  expect(withValues({ page_index: '4', page_size: '50', sex: '1', keyword: '王' }, { sex: undefined, keyword: '', state: '1' })).toEqual({ page_size: '50', state: '1' })
})
