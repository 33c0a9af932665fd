import { expect, test } from 'vitest'
import { readNumber, wholeRule } from './index.ts'

test.each([
  ['１２', '12'],
  ['　45 人', '45'],
  ['1,000', '1000'],
  ['-3.5', '-3.5'],
  ['九十', ''],
  [undefined, ''],
])('%s is read as %s', (typed, read) => {
  expect(readNumber(typed)).toBe(read)
})

test('the bounds of a whole number stand in its sentence', () => {
  expect(wholeRule(0, 1000)).toEqual({ type: 'integer', min: 0, max: 1000, message: '请输入0-1000之间的整数' })
})
