import { expect, test } from 'vitest'
import { illFormedAt, isWellFormedText, wellFormedValue } from './well-formed.ts'

test.each([['王子轩', true], ['𠀀', true], ['', true], ['\ud800', false], ['a\udc00b', false], ['a\0b', false]])('%j is well formed: %s', (text, is_well_formed) => {
  expect(isWellFormedText(text)).toBe(is_well_formed)
})

test.each([
  ['a text', 'x\ud800', ''],
  ['a field', { name: 'x', reason: '\ud800' }, 'reason'],
  ['deep in lists', { rows: [{ a: 'x' }, { a: ['y', '\0'] }] }, 'rows.1.a.1'],
  ['a key', { fields: { 'a\udfff': 1 } }, 'fields'],
])('an ill-formed text is found: %s', (_where, value, path) => {
  expect(illFormedAt(value)).toBe(path)
})

test('what is well formed is found so, at any depth and without end of the stack', () => {
  const deep = JSON.parse(`${'['.repeat(200_000)}"王"${']'.repeat(200_000)}`)
  expect(illFormedAt(deep)).toBe(null)
  expect(illFormedAt({ n: 1, none: null, list: ['𠀀'] })).toBe(null)
})

test('a value is made as a store gives it back', () => {
  expect(wellFormedValue({ 'a\ud800': ['b\0', 1, null] })).toEqual({ 'a\ufffd': ['b\ufffd', 1, null] })
})
