import { expect, test } from 'vitest'
import { readSaved, withDefault, withoutSaved, withSaved } from './saved-filters.ts'

const girls = { name: '女生', values: { sex: '2' }, is_default: true }
const boys = { name: '男生', values: { sex: '1' }, is_default: false }

test('a name is kept once, and stays the default when it is written anew', () => {
  expect(withSaved([girls], '男生', { sex: '1' })).toEqual([girls, boys])
  expect(withSaved([girls, boys], '女生', { sex: '2', keyword: '王' })).toEqual([{ ...girls, values: { sex: '2', keyword: '王' } }, boys])
})

test('one is the default, or none', () => {
  expect(withDefault([girls, boys], '男生').map(({ is_default }) => is_default)).toEqual([false, true])
  expect(withDefault([girls, boys], '女生').map(({ is_default }) => is_default)).toEqual([false, false])
  expect(withoutSaved([girls, boys], '女生')).toEqual([boys])
})

test.each([[null], [7], [{ name: 'x' }], [[{ name: '', values: {}, is_default: false }]], [[{ name: 'x', values: { a: 1 }, is_default: false }]]])('%j is no list of filters', value => {
  expect(readSaved(value)).toEqual([])
})
