import { expect, test } from 'vitest'
import { maskChange, maskText, maskValue } from './mask-values.ts'

test.each([
  ['13812345678', '138****5678'],
  ['家长 13812345678，备用 15900001111', '家长 138****5678，备用 159****1111'],
  ['11010519491231002X', '110***********002X'],
  ['110105491231002', '110********1002'],
  ['20261120123456', '20261120123456'],
  ['6222021234567890123', '6222021234567890123'],
])('%s is logged as %s', (text, masked) => {
  expect(maskText(text)).toBe(masked)
})

test('secrets become a dot at any depth', () => {
  expect(maskValue({ a: [{ old_pass: 'x', token: 'y', pwd_count: 8 }], password_hash: 'z' })).toEqual({
    a: [{ old_pass: '●', token: '●', pwd_count: 8 }],
    password_hash: '●',
  })
})

test('phone numbers written as numbers are masked too', () => {
  expect(maskValue({ mobile: 13812345678, count: 12 })).toEqual({ mobile: '138****5678', count: 12 })
})

test('only changed fields are kept, compared by value', () => {
  expect(maskChange({ a: 1, b: [1], c: 'x' }, { a: 2, b: [1], d: 'y' })).toEqual({ before: { a: 1, c: 'x' }, after: { a: 2, d: 'y' } })
  expect(maskChange(undefined, { tel: '13812345678' })).toEqual({ before: null, after: { tel: '138****5678' } })
})
