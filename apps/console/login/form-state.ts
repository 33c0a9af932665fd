import { readStored } from './storage.ts'

/** What the login form holds. With `remember_token` the password field shows dots and holds no text of its own. */
export type Form = {
  account: string
  password: string
  captcha: string
  remember: boolean
  remember_token: string | null
}

type FieldName = 'account' | 'password' | 'captcha'

/** The form, the field the last check failed on, and where the cursor was sent last (a new object sends it again). */
export type Fields = { form: Form; invalid: FieldName | null; cursor: { field: FieldName } }

/** What the password field shows for a remembered password. */
const remembered_dots = '●●●●●●'

/** The form as it opens: a remembered account with its token, else empty and unticked. */
export function openingForm(): Form {
  const remember_token = readStored('password')
  const account = remember_token === null ? '' : readStored('account') ?? ''
  return { account, password: '', captcha: '', remember: remember_token !== null, remember_token }
}

/** The fields with the cursor in the first empty one, else in the captcha. */
export function resumed(form: Form): Fields {
  const field = form.account === '' ? 'account' : shownPassword(form) === '' ? 'password' : 'captcha'
  return { form, invalid: null, cursor: { field } }
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
