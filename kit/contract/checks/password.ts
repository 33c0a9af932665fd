import { matches } from './verdict.ts'
import type { Verdict } from './verdict.ts'

/** The fixed symbol set of platform rule P5. */
export const PASSWORD_SYMBOLS = '~!@#$%^&*()_+-=[]{}|;:,.<>/?'

/** Sentence of strong mode, shared by the login form and by new passwords of strong schools. */
export const STRONG_SENTENCE = '密码格式不正确,请输入8-16位字母（大小写）、数字组合'

const LOWEST_MIN = 8
const NEW_MAX = 64
const PASSWORD_EMPTY = '请输入密码'

interface Kinds {
  lower: boolean
  upper: boolean
  digit: boolean
  symbol: boolean
}

/** One line of the live checklist beside the new-password field. Every `required` line ok ⇔ the password is accepted. */
export interface PasswordChecklistItem {
  code: 'length' | 'allowed' | 'kinds' | keyof Kinds
  label: string
  ok: boolean
  required: boolean
}

/** True when every sign is one of 0x21–0x7E: no blank, no control, nothing beyond ASCII. */
export function isAsciiGraphic(value: string): boolean {
  return /^[!-~]*$/.test(value)
}

/**
 * New password: N–64 signs, three of the four kinds, N = max(min, 8) (platform rule P5). Signs outside 0x21–0x7E are
 * refused too, because the login form would refuse them later (P4); quotes and backslash are allowed but are no kind.
 */
export function checkNewPassword(value: string, min: number): Verdict {
  if (value === '') return PASSWORD_EMPTY
  const n = lowestLength(min)
  const accepted = lengthOk(value, n) && isAsciiGraphic(value) && threeKinds(kindsOf(value))
  return accepted ? null : `请输入${n}-64位大小写字母、数字和特殊符号的任意三种组合`
}

/** Strong schools ask lower, upper and digit of every new password beside the rule of three kinds (platform rule P4). */
export function checkStrong(value: string): Verdict {
  const { lower, upper, digit } = kindsOf(value)
  return lower && upper && digit ? null : STRONG_SENTENCE
}

/** The confirm box against the new password: empty, then different (platform rule P6). */
export function checkNewPasswordPair(value: string, confirm: string): Verdict {
  if (confirm === '') return PASSWORD_EMPTY
  return value === confirm ? null : '新密码与确认密码不一致'
}

/** Old password of the dialog: only emptiness is known here (platform rule P6). */
export function checkOldPassword(value: string): Verdict {
  return value === '' ? '请输入旧密码' : null
}

/** Submit of the password dialog: refused while any field still has a sentence (platform rule P6). */
export function checkPasswordSubmit(fields: readonly Verdict[]): Verdict {
  return fields.some((field) => field !== null) ? '输入内容有误，请重新输入！' : null
}

/** 6–20 letters and digits, at least one of each (product §5, separate from the login rule). */
export const checkPassword6to20 = matches(
  /^(?=[A-Za-z]*[0-9])(?=[0-9]*[A-Za-z])[A-Za-z0-9]{6,20}$/, '密码格式不正确,请输入6-20位字母和数字', 20)

/** Lines of the live checklist for the text typed so far; the kinds are single requirements only in a strong school. */
export function newPasswordChecklist(value: string, min: number, strong = false): PasswordChecklistItem[] {
  const n = lowestLength(min)
  const kinds = kindsOf(value)
  return [
    { code: 'length', label: `长度为${n}-64位`, ok: lengthOk(value, n), required: true },
    { code: 'allowed', label: '不含空格、汉字等其他字符', ok: value !== '' && isAsciiGraphic(value), required: true },
    { code: 'kinds', label: '包含以下任意三种字符', ok: threeKinds(kinds), required: true },
    { code: 'lower', label: '小写字母', ok: kinds.lower, required: strong },
    { code: 'upper', label: '大写字母', ok: kinds.upper, required: strong },
    { code: 'digit', label: '数字', ok: kinds.digit, required: strong },
    { code: 'symbol', label: `特殊符号 ${PASSWORD_SYMBOLS}`, ok: kinds.symbol, required: false },
  ]
}

function lowestLength(min: number): number {
  return Math.max(min, LOWEST_MIN)
}

function lengthOk(value: string, n: number): boolean {
  return value.length >= n && value.length <= NEW_MAX
}

function kindsOf(value: string): Kinds {
  return {
    lower: /[a-z]/.test(value),
    upper: /[A-Z]/.test(value),
    digit: /[0-9]/.test(value),
    symbol: [...PASSWORD_SYMBOLS].some((sign) => value.includes(sign)),
  }
}

function threeKinds({ lower, upper, digit, symbol }: Kinds): boolean {
  return [lower, upper, digit, symbol].filter(Boolean).length >= 3
}
