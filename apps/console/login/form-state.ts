import type { Form } from './attempt.ts'
import { readStored } from './storage.ts'

/** What the password field shows for a remembered password. */
export const remembered_dots = '●●●●●●'

export type FieldName = 'account' | 'password' | 'captcha'

/** The form as it opens: a remembered account with its token, else empty and unticked. */
export function openingForm(): Form {
  const remember_token = readStored('password')
  const account = remember_token === null ? '' : readStored('account') ?? ''
  return { account, password: '', captcha: '', remember: remember_token !== null, remember_token }
}

/** The account was edited: a remembered password belongs to the other one. */
export function withAccount(form: Form, account: string): Form {
  return { ...form, account, remember_token: null }
}

/** The password was edited: whatever is typed replaces the dots of a remembered one. */
export function withPassword(form: Form, text: string): Form {
  const password = form.remember_token === null ? text : text.replaceAll('●', '')
  return { ...form, password, remember_token: null }
}

/** What the password field shows. */
export function shownPassword(form: Form): string {
  return form.remember_token === null ? form.password : remembered_dots
}

/** The first empty field, else the captcha: where typing goes on. */
export function firstEmpty(form: Form): FieldName {
  if (form.account === '') return 'account'
  return shownPassword(form) === '' ? 'password' : 'captcha'
}

/** The form with its account kept and its password gone, typed or remembered. */
export function withoutPassword(form: Form): Form {
  return { ...form, password: '', remember_token: null }
}
