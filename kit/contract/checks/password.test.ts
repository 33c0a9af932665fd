import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkLoginPassword, checkNewPassword, checkPasswordSubmit, checkStrong, newPasswordChecklist } from './index.ts'
import { commonPasswords, tooSimple } from './password-common.ts'

const TOO_SIMPLE = '密码过于简单，请更换'
const anyText = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 70 }), fc.string({ unit: fc.constantFrom(...'aZ09!~\'" 密'), maxLength: 70 }))

describe('new passwords', () => {
  test('the lower bound is never under 8 and is named in the sentence', () => {
    expect(checkNewPassword('Ab1@', 4)).toBe('请输入8-64位大小写字母、数字和特殊符号的任意三种组合')
    expect(checkNewPassword('Abcdef1@', 20)).toBe('请输入20-64位大小写字母、数字和特殊符号的任意三种组合')
  })

  test('quotes are allowed but are no kind, blanks and Chinese are refused', () => {
    expect(checkNewPassword(`Abc123'"`, 8)).toBeNull()
    expect(checkNewPassword(`abc123'"`, 8)).not.toBeNull()
    expect(checkNewPassword('Abc 1234', 8)).not.toBeNull()
    expect(checkNewPassword('Abc1234密', 8)).not.toBeNull()
  })

  test('no accepted password is refused by the login form afterwards', () => {
    fc.assert(fc.property(anyText, fc.boolean(), (text, strong) => {
      if (checkNewPassword(text, 8) ?? (strong ? checkStrong(text) : null)) return
      expect(checkLoginPassword(text, { strong, login_max: 64 })).toBeNull()
    }))
  })

  test('every required line of the checklist is ok exactly when the password is accepted', () => {
    fc.assert(fc.property(anyText, fc.integer({ min: 8, max: 64 }), fc.boolean(), (text, min, strong) => {
      const accepted = checkNewPassword(text, min) === null && (!strong || checkStrong(text) === null)
      expect(newPasswordChecklist(text, min, strong).every((item) => item.ok || !item.required)).toBe(accepted)
    }))
  })

  test('a form without sentences may be submitted', () => {
    expect(checkPasswordSubmit([null, null])).toBeNull()
  })
})

describe('simple passwords', () => {
  test('at least 3,000 common ones, each of which the form would have accepted with a capital letter', () => {
    expect(commonPasswords.size).toBeGreaterThanOrEqual(3000)
    for (const password of commonPasswords) {
      expect(checkNewPassword(password.replace(/[a-z]/, (sign) => sign.toUpperCase()), 8), password).toBeNull()
    }
  })

  test.each(['Password1', 'PASSWORD1', 'Admin123', 'Admin@123', 'Qwer1234', '1qaz@WSX', 'P@ssw0rd', 'Aa123456', 'Woaini1314', 'Abc@1234'])(
    '%s is common', (password) => expect(tooSimple(password, {})).toBe(TOO_SIMPLE))

  const owner = {
    account: 'lihua01', user_no: 'T2019', phone: '16910000002', birthday: '1986-03-04',
    school_pinyin: 'qimingshiyanxuexiao', school_initials: 'qmsyxx',
  }
  test.each(['xLiHua01!x', 'Xx!t2019x', 'a16910000002B', 'Kx19860304!', 'Kx860304!z', 'Kx1986-03-04', 'Qmsyxx#77', 'QiMingShiYanXueXiao1'])(
    '%s names its owner', (password) => expect(tooSimple(password, owner)).toBe(TOO_SIMPLE))

  test('other passwords pass, and short or missing facts are not looked for', () => {
    expect(tooSimple('Demo@Pass26', owner)).toBeNull()
    expect(tooSimple('xK7#vv01mQ', { user_no: '01', account: '', birthday: undefined })).toBeNull()
  })
})
