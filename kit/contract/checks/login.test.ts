import { describe, expect, test } from 'vitest'
import { checkLoginForm, checkLoginPassword } from './index.ts'
import type { LoginForm } from './index.ts'

const good: LoginForm = { account: 'admin01', password: 'Abc123', captcha: '2222', strong: false }
const ACCOUNT_FORM = '账号格式不正确,只能由5-30位字母、数字和下划线组成'
const NORMAL_FORM = '密码格式不正确,请输入6-20位字母、数字组合、特殊符号'

describe('the login form says its first failure only, in the order of the product', () => {
  test.each<[string, Partial<LoginForm>, [string, string, number] | null]>([
    ['a good form is sent', {}, null],
    ['empty account, shown one second', { account: '', password: '', captcha: '' }, ['account', '用户名不能为空', 1000]],
    ['bad account before empty password', { account: 'ab', password: '', captcha: '' }, ['account', ACCOUNT_FORM, 2000]],
    ['empty password before empty captcha', { password: '', captcha: '' }, ['password', '密码不能为空', 2000]],
    ['empty captcha before bad password', { password: 'x', captcha: '' }, ['captcha', '请输入验证码', 2000]],
    ['bad password last', { password: 'x' }, ['password', NORMAL_FORM, 2000]],
    ['a remembered password is not looked at', { password: '', remembered: true }, null],
    ['a remembered password still needs the captcha', { password: '', remembered: true, captcha: '' }, ['captcha', '请输入验证码', 2000]],
  ])('%s', (_, change, expected) => {
    const [field, msg, duration_ms] = expected ?? []
    expect(checkLoginForm({ ...good, ...change })).toEqual(expected && { field, msg, duration_ms })
  })
})

test('a raised login_max lets long passwords in, a fresh school refuses 21 signs', () => {
  expect(checkLoginPassword('a'.repeat(21), { strong: false })).toBe(NORMAL_FORM)
  expect(checkLoginPassword('a'.repeat(21), { strong: false, login_max: 20 })).toBe(NORMAL_FORM)
  expect(checkLoginPassword('a'.repeat(64), { strong: false, login_max: 64 })).toBeNull()
  expect(checkLoginPassword('a'.repeat(65), { strong: false, login_max: 64 })).toBe(NORMAL_FORM)
  expect(checkLoginPassword(`Aa1${'b'.repeat(37)}`, { strong: true, login_max: 64 })).toBeNull()
  expect(checkLoginPassword(`Aa1${'b'.repeat(37)}`, { strong: true })).toBe('密码格式不正确,请输入8-16位字母（大小写）、数字组合')
})
