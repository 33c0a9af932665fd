import { expect, test } from 'vitest'
import { default_rule, gradeOf, isStillGood, loginMax, mustRaise, refuseNew, strictest } from './rule.ts'
import type { PasswordRule } from './rule.ts'

const rule = (more: Partial<PasswordRule> = {}): PasswordRule => ({ ...default_rule, school_id: 1, ...more })
const now = new Date('2026-11-20T08:00:00Z')
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000)

test.each<[string, string, PasswordRule, string | null]>([
  ['three kinds and eight signs', 'Qw7!pzkm', rule(), null],
  ['too short for the school', 'Qw7!pzkm', rule({ pwd_count: 12 }), '请输入12-64位大小写字母、数字和特殊符号的任意三种组合'],
  ['two kinds', 'qwpz7781', rule(), '请输入8-64位大小写字母、数字和特殊符号的任意三种组合'],
  ['no capital in a strong school', 'qw7!pzkm', rule({ strong: true }), '密码格式不正确,请输入8-16位字母（大小写）、数字组合'],
  ['no capital in another', 'qw7!pzkm', rule(), null],
  ['a common one', 'Password123', rule(), '密码过于简单，请更换'],
  ['the account inside', 'xAdmin01!', rule(), '密码过于简单，请更换'],
  ['a remembered login in disguise', 'remember:Aa1', rule(), '密码过于简单，请更换'],
])('new password: %s', (_name, password, of, msg) => {
  expect(refuseNew(password, of, { account: 'admin01' })?.message ?? null).toBe(msg)
})

test('10-P5 what any of his schools knows of a person counts', () => {
  const owners = [{ account: 'admin01' }, { user_no: 'T1001' }, { user_no: 'K77', phone: '13800001111', birthday: '1986-03-04', school_initials: 'qmsyxx' }]
  for (const password of ['x13800001111Q', 'Xy19860304!', 'Qmsyxx#77', 'Qw!T1001aa']) expect(refuseNew(password, rule(), owners)?.message, password).toBe('密码过于简单，请更换')
  expect(refuseNew('Qw7!pzkm', rule(), owners)).toBeNull()
})

test('a grade says how far a password goes, not more', () => {
  expect(gradeOf('qwpz7781', rule(), {})).toBe(1)
  expect(gradeOf('qw7!pzkm', rule({ strong: true }), {})).toBe(2)
  expect(gradeOf('Qw7!pzkm', rule(), {})).toBe(3)
})

test('a password is renewed when it is too old or below the rule', () => {
  expect(isStillGood(2, null, rule(), now)).toBe(true)
  expect(isStillGood(1, now, rule(), now)).toBe(false)
  expect(isStillGood(0, now, rule(), now)).toBe(false)
  expect(isStillGood(2, now, rule({ strong: true }), now)).toBe(false)
  expect(isStillGood(3, daysAgo(30), rule({ strong: true, valid_days: 30 }), now)).toBe(true)
  expect(isStillGood(3, daysAgo(30.1), rule({ valid_days: 30 }), now)).toBe(false)
  expect(isStillGood(3, null, rule({ valid_days: 30 }), now)).toBe(false)
})

test('a person of several schools meets the strictest rule of them all', () => {
  const of = strictest([rule({ school_id: 1, valid_days: 90 }), rule({ school_id: 2, strong: true, history_count: 3 }), rule({ school_id: 3, pwd_count: 12, valid_days: 60 })])
  expect(of).toMatchObject({ school_id: 2, pwd_count: 12, valid_days: 60, history_count: 5, strong: true })
  expect(strictest([])).toEqual(default_rule)
})

test('the login form takes 20 signs, 16 in a strong school, 64 once a longer password was set (10-A7)', () => {
  expect(loginMax(rule())).toBe(20)
  expect(loginMax(rule({ strong: true }))).toBe(16)
  expect(loginMax(rule({ strong: true, login_max: 64 }))).toBe(64)
  expect([mustRaise(20, rule()), mustRaise(21, rule()), mustRaise(17, rule({ strong: true })), mustRaise(40, rule({ login_max: 64 }))]).toEqual([false, true, true, false])
})
