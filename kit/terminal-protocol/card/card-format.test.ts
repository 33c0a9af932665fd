import { expect, test } from 'vitest'
import { interpretCard, readCard, uidOf, writeCard } from './card-format.ts'
import type { CardFormat } from './card-format.ts'

const plain: CardFormat = { input: 'hex', byte_order: 'as_is', truncation: 'none', pad: true, upper: true }

test.each<[string, Partial<CardFormat>, string]>([
  ['2A83155E', {}, '2A83155E'],
  ['2A83155E', { upper: false }, '2a83155e'],
  ['2A83155E', { byte_order: 'reversed' }, '5E15832A'],
  ['2A83155E', { input: 'dec10' }, '0713233758'],
  ['2A83155E', { input: 'dec10', byte_order: 'reversed' }, '1578468138'],
  ['2A83155E', { input: 'dec8' }, '13105470'],
  ['00D507D0', { input: 'dec10' }, '0013961168'],
  ['00D507D0', { input: 'dec8' }, '21302000'],
  ['2A83155E', { input: 'wg26' }, '08590686'],
  ['2A83155E', { input: 'wg34' }, '1088305470'],
  ['2A83155E', { truncation: '6' }, '83155E'],
  ['2A83155E', { truncation: '8' }, '2A83155E'],
  ['2A83155E', { truncation: '6', byte_order: 'reversed' }, '15832A'],
  ['04A1B2C3D4E5F6', { truncation: '8' }, 'C3D4E5F6'],
  ['04A1B2C3D4E5F6', {}, '04A1B2C3D4E5F6'],
  ['04A1B2C3D4E5F6', { input: 'dec10', truncation: '6' }, '0013952502'],
  ['A1B2C3', { truncation: '8' }, '00A1B2C3'],
  ['A1B2C3', { truncation: '8', pad: false }, 'A1B2C3'],
])('31-A22 the card %s written as %o is %s', (uid, format, text) => {
  expect(writeCard(uid, { ...plain, ...format })).toBe(text)
})

test.each<[string, Partial<CardFormat>, string | null]>([
  ['0123456789', { input: 'dec10' }, '075BCD15'],
  ['4294967295', { input: 'dec10' }, 'FFFFFFFF'],
  ['4294967296', { input: 'dec10' }, null],
  ['13105470', { input: 'dec8' }, '83155E'],
  ['131,05470', { input: 'dec8' }, '83155E'],
  ['13165536', { input: 'dec8' }, null],
  ['25600000', { input: 'dec8' }, null],
  ['1578468138', { input: 'dec10', byte_order: 'reversed' }, '2A83155E'],
  ['16777216', { input: 'wg26' }, null],
  ['2a:83 15-5e', {}, '2A83155E'],
  ['2A83155', {}, null],
  ['', { input: 'dec10' }, null],
  ['12a', { input: 'dec10' }, null],
])('the number %s of the format %o is the card %s', (text, format, uid) => {
  expect(readCard(text, { ...plain, ...format })).toBe(uid)
})

test('what is no number of a card has no bytes', () => {
  expect(['2a83155e', '2A83', 'XYZ123', '0'.repeat(22)].map(uidOf)).toEqual(['2A83155E', null, null, null])
})

test('of one card there are fourteen ways of writing it, each told once', () => {
  const ways = interpretCard('2A83155E')
  expect(ways).toHaveLength(14)
  expect(new Set(ways.map(({ format }) => JSON.stringify(format))).size).toBe(14)
  expect(ways.map(way => way.text)).toEqual(expect.arrayContaining(['2A83155E', '5E15832A', '83155E', '0713233758', '1578468138', '13105470']))
})

test.each(interpretCard('00D507D0').filter(({ format }) => format.truncation === 'none' && format.input !== 'dec8' && format.input !== 'wg26').map(({ format, text }) => [text, format] as const))('the number %s is read back as the card that %o wrote', (text, format) => {
  expect(readCard(text, format)).toBe('00D507D0')
})
