import { checkStrong, isAsciiGraphic, STRONG_SENTENCE } from './password.ts'
import { matches } from './verdict.ts'
import type { Verdict } from './verdict.ts'

const ACCOUNT_EMPTY = '用户名不能为空'
const PASSWORD_EMPTY = '密码不能为空'
const SHORT_MESSAGE_MS = 1000
const MESSAGE_MS = 2000

const accountShape = matches(/^[A-Za-z0-9_]{5,30}$/, '账号格式不正确,只能由5-30位字母、数字和下划线组成')

/** How the school of the address reads passwords. `login_max` comes from get_set_by_school_id (20, 16 or 64). */
export interface LoginPasswordRule {
  strong: boolean
  /** Upper length bound; absent = 16 in strong mode, else 20. */
  login_max?: number
}

/** What the login form holds when it is submitted. */
export interface LoginForm extends LoginPasswordRule {
  account: string
  password: string
  captcha: string
  /** True when a remembered password stands in for a typed one: there is no text to check then. */
  remembered?: boolean
}

/** The first failure of the login form and for how long its message shows, in milliseconds. */
export interface LoginFailure {
  field: 'account' | 'password' | 'captcha'
  msg: string
  duration_ms: number
}

/** Account of the login form: not empty, 5–30 letters, digits or underscores (platform rule P1). */
export function checkAccount(value: string): Verdict {
  return value === '' ? ACCOUNT_EMPTY : accountShape(value)
}

/** Password of the login form: form only, whether it is right is the server's question (platform rules P1, P4). */
export function checkLoginPassword(value: string, rule: LoginPasswordRule): Verdict {
  if (value === '') return PASSWORD_EMPTY
  const [min, max, msg] = rule.strong
    ? [8, rule.login_max ?? 16, STRONG_SENTENCE]
    : [6, rule.login_max ?? 20, '密码格式不正确,请输入6-20位字母、数字组合、特殊符号']
  if (value.length < min || value.length > max || !isAsciiGraphic(value)) return msg
  return rule.strong ? checkStrong(value) : null
}

/** Captcha of the login form: only emptiness is known here (platform rule P1). */
export function checkCaptcha(value: string): Verdict {
  return value === '' ? '请输入验证码' : null
}

/**
 * All checks of the login form in the order of platform rule P1: account, password empty, captcha empty, password form.
 * Answers the first failure alone, or null when the form may be sent.
 */
export function checkLoginForm(form: LoginForm): LoginFailure | null {
  const account = checkAccount(form.account)
  if (account) return failure('account', account)
  if (!form.remembered && form.password === '') return failure('password', PASSWORD_EMPTY)
  const captcha = checkCaptcha(form.captcha)
  if (captcha) return failure('captcha', captcha)
  const password = form.remembered ? null : checkLoginPassword(form.password, form)
  return password ? failure('password', password) : null
}

function failure(field: LoginFailure['field'], msg: string): LoginFailure {
  return { field, msg, duration_ms: msg === ACCOUNT_EMPTY ? SHORT_MESSAGE_MS : MESSAGE_MS }
}
