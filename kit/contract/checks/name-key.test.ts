import { describe, expect, test } from 'vitest'
import { holdsName, isSameName, nameKey, numberKey, serialKey } from './index.ts'

describe('names that look the same', () => {
  test.each([
    ['古丽·测试', ['古丽•测试', '古丽・测试', '古丽‧测试', '古丽∙测试', '古丽⋅测试', '古丽･测试', '古丽 · 测试', '古丽.测试', '古丽．测试', '\u200b古丽·测试\ufeff']],
    ['王强', ['王　强', '王 强', ' 王\u00a0\u2003强 ', '\u202d王强\u202c']],
    ['María', ['Mari\u0301a', 'MARÍA', 'ｍａｒíａ', 'MARI\u0301A']],
    ['John Smith', ['john  smith', 'ＪＯＨＮ　ＳＭＩＴＨ', ' John\tSmith ']],
    ['一年级(1)班', ['一年级（1）班', '一年级（１）班', '一年级 （1） 班'.replaceAll(' ', '')]],
    ['Åsa', ['A\u030asa', 'åsa']],
    ['Иван', ['ИВАН', 'иван']],
    ['𠮷田', ['𠮷　田']],
  ])('%s has one key however it is typed', (name, others) => {
    expect(others.map(nameKey)).toEqual(others.map(() => nameKey(name)))
    expect(others.every(other => isSameName(name, other) && holdsName(other, name))).toBe(true)
  })

  test.each([
    ['王强', '王墙'], ['古丽·测试', '古丽测试'], ['Maria', 'María'], ['John Smith', 'JohnSmith'], ['J. K. 罗', 'J·K·罗'], ['李', '李李'],
  ])('%s and %s are two', (name, other) => {
    expect(isSameName(name, other)).toBe(false)
  })

  test('the key of a key is itself', () => {
    for (const name of ['古丽 • 测试', ' A. B 王 强', 'Mari\u0301a']) expect(nameKey(nameKey(name))).toBe(nameKey(name))
  })
})

test('numbers and serial numbers differ in more than case, width and the blanks around them', () => {
  expect([' st418A', 'ＳＴ４１８Ａ', 'ST418a'].map(numberKey)).toEqual(['st418a', 'st418a', 'st418a'])
  expect([' jd-f10a', 'ＪＤ－F10A'].map(serialKey)).toEqual(['JD-F10A', 'JD-F10A'])
})
