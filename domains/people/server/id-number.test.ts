import { expect, test } from 'vitest'
import { indexIdNo, openIdNo, sealIdNo } from './id-number.ts'

const keys = { data_key: Buffer.alloc(32, 1), id_index_key: Buffer.alloc(32, 2) }

test('a sealed number opens for its own school alone', () => {
  const { id_no_enc, id_no_mask } = sealIdNo(keys, 1001, '37020020180512001x')
  expect(openIdNo(keys, 1001, id_no_enc)).toBe('37020020180512001X')
  expect(id_no_mask).toBe('370***********001X')
  expect(() => openIdNo(keys, 1002, id_no_enc)).toThrow('unable to authenticate data')
})

test('the same number sealed twice looks different and is found the same', () => {
  const [a, b] = [sealIdNo(keys, 1001, '370200201805120014'), sealIdNo(keys, 1001, '370200201805120014')]
  expect(a.id_no_enc.equals(b.id_no_enc)).toBe(false)
  expect(a.id_no_idx.equals(b.id_no_idx)).toBe(true)
})

test.each([
  ['37020020180512001x', '37020020180512001X'],
  ['３７０２００２０１８０５１２００１４', '370200201805120014'],
  ['370200850615002', '370200198506150024'],
  ['e12345678', 'E12345678'],
])('%s and %s are one number', (a, b) => {
  expect(indexIdNo(keys, a).equals(indexIdNo(keys, b))).toBe(true)
})
