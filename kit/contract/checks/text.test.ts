import { describe, expect, test } from 'vitest'
import {
  checkDeptName, checkFirmwareName, checkHideColumn, checkMarker, checkMenu, checkNoSpecial, checkPersonName, checkResized,
  checkSelection, checkStudentNo, foldFullWidth, maskIdNo, maskMobile, maskName, size, trimName,
} from './index.ts'

const SPECIAL = '不能包含特殊字符'
const COMMA = '不能包含逗号'

describe('person names', () => {
  test.each([
    '阿依古丽·买买提', '尼格买提·热合曼江', '卓玛', '李㐀', '陈𠀀', 'Anna Müller', '김민준', '李 明', '李明 ', "O'Neil", 'J. Smith',
    '\u00a0李明\u00a0', '\u3000李明', '陈'.repeat(50), '𠀀'.repeat(50), '张伟（大）', '〇〇',
  ])('%s is a name', (name) => expect(checkPersonName(name)).toBeNull())

  test.each([
    ['', '必填项不能为空'], ['\u00a0 \u3000', '必填项不能为空'], ['陈'.repeat(51), '超过50个字'], ['李明,王芳', COMMA], ['李明，王芳', COMMA],
    ['李明😀', SPECIAL], ['李\u0007明', SPECIAL], ['李\n明', SPECIAL], ['李\u200b明', SPECIAL], ['🇨🇳', SPECIAL], ['李❤\ufe0f', SPECIAL],
    ['<b>李明', SPECIAL], ['=李明', SPECIAL], ['李\ud800', SPECIAL],
  ])('%j is refused', (name, msg) => expect(checkPersonName(name)).toBe(msg))

  test('trimming takes no-break and ideographic blanks at the ends, never inner ones', () => {
    expect(trimName('\u00a0李 明\u3000')).toBe('李 明')
  })
})

describe('departments, labels and student numbers', () => {
  test.each(['高一(1)班', '初三（2）班', '党政办-人事_组', '阿·班', '二 组', '部'.repeat(30)])('%s is a department', (name) => {
    expect(checkDeptName(name)).toBeNull()
  })
  test.each([['', '必填项不能为空'], ['部'.repeat(31), '超过30个字'], ['a/b', SPECIAL], ['一组,二组', SPECIAL], ['一组😀', SPECIAL], ['a.b', SPECIAL]])(
    'department %j is refused', (name, msg) => expect(checkDeptName(name)).toBe(msg))

  test('a label refuses control signs and commas', () => {
    expect(checkNoSpecial('a\nb')).toBe(SPECIAL)
    expect(checkNoSpecial('a,b')).toBe(SPECIAL)
    expect(checkNoSpecial('')).toBeNull()
  })

  test.each([['', '必填项不能为空'], ['1'.repeat(51), '超过50个字'], ['20,25', COMMA], ['20，25', COMMA], ['１２', SPECIAL], ['20 25', SPECIAL]])(
    'student number %j is refused', (value, msg) => expect(checkStudentNo(value)).toBe(msg))
})

test('full-width signs are folded to ASCII, Chinese stays', () => {
  expect(foldFullWidth('１６９０Ａｚ－＠．＿＋\u3000中')).toBe('1690Az-@._+ 中')
})

test.each([
  [0, '0.00B'], [1, '1.00B'], [1023, '1023.00B'], [1024, '1.00KB'], [1536, '1.50KB'], [20 * 1024 ** 2, '20.00MB'], [1024 ** 2 - 1, '1.00MB'],
  [3 * 1024 ** 3, '3.00GB'], [1024 ** 4, '1.00TB'], [5000 * 1024 ** 4, '5000.00TB'],
])('size of %d is %s', (bytes, text) => expect(size(bytes)).toBe(text))

test('masks show what people rule 25 shows, and nothing of short texts', () => {
  expect(maskMobile('16900000001')).toBe('169****0001')
  expect(maskIdNo('370200201802190014')).toBe('370***********0014')
  expect(maskIdNo('370900560812001')).toBe('370********2001')
  expect(maskMobile('1234567')).toBe('*******')
  expect([maskName('张三'), maskName('𠀀小明'), maskName('张'), maskName('')]).toEqual(['张*', '𠀀**', '*', ''])
})

test('checks of the console pass when their condition is met', () => {
  expect(checkSelection([1], 'delete')).toBeNull()
  expect(checkHideColumn(2)).toBeNull()
  expect(checkMenu([1])).toBeNull()
  expect(checkMarker('school.info.edit')).toBeNull()
  expect(checkMarker(['a', ''])).not.toBeNull()
  expect(checkMarker([])).not.toBeNull()
  expect(checkResized({ size: 1 })).toBeNull()
  expect(checkResized({ size: 0 })).not.toBeNull()
  expect(checkFirmwareName('FW.JBN')).toBeNull()
})
