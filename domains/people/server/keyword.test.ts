import { expect, test } from 'vitest'
import { parseKeyword } from './keyword.ts'

const words = { kind: 'words', pinyin: null, number: null, mobile: null, tail: null }

test.each([
  [undefined, null],
  ['  ', null],
  ['王', { ...words, name: '王' }],
  [' 王子涵 ', { ...words, name: '王子涵' }],
  ['wangzh', { ...words, name: 'wangzh', pinyin: 'wangzh', number: 'wangzh' }],
  ['WZH', { ...words, name: 'WZH', pinyin: 'wzh', number: 'WZH' }],
  ['wang zi', { ...words, name: 'wang zi', pinyin: 'wangzi' }],
  ['0001', { ...words, name: '0001', number: '0001', tail: '0001' }],
  ['２０２６', { ...words, name: '２０２６', number: '2026', tail: '2026' }],
  ['16900000001', { ...words, name: '16900000001', number: '16900000001', mobile: '16900000001' }],
  ['370200201805120014', { kind: 'id_no', id_no: '370200201805120014' }],
  ['37020020180512001x', { kind: 'id_no', id_no: '37020020180512001x' }],
  ['阿依古丽·买', { ...words, name: '阿依古丽·买' }],
])('the search text %o is read', (text, keyword) => {
  expect(parseKeyword(text)).toEqual(keyword)
})
