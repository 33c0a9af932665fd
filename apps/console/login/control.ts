import { checkLoginForm } from '@kit/contract/checks'
import { keepRemembered, sendLogin } from './attempt.ts'
import { getPasswordSet } from './calls.ts'
import { messages } from './call.ts'
import { resumed } from './form-state.ts'
import type { Form } from './form-state.ts'
import type { Login, LoginState } from './login-state.ts'
import { loadSchool, refreshCaptcha } from './surroundings.ts'
import { showToast } from './toast.tsx'
import { follow } from './way-in.tsx'

/** A new picture follows every attempt after this time (platform rule P3). */
const REFRESH_AFTER_MS = 1000

/** Sets the page going once it is painted: captcha, school, password rule, and the automatic sign-in of the address. */
export function start(login: Login): void {
  const { school_id, search } = login.visit
  void refreshCaptcha(login)
  if (school_id !== undefined) void loadSchool(login)
  void getPasswordSet(school_id).then(answer => {
    if (answer.kind === 'ok') login.set({ password_set: answer.data })
  })
  // A page brought back by the back button still holds what was typed: it starts anew.
  window.addEventListener('pageshow', event => {
    if (event.persisted) location.reload()
  })
  if (search.length > 1) void import('./provider/arrive.tsx').then(({ arrive }) => arrive(login), () => showToast(messages.network))
}

/** Sends the form unless a local check fails; the first failure shows and nothing leaves the page (platform rule P1). */
export async function submit(login: Login): Promise<void> {
  const state = login.get()
  const { form, captcha } = state
  const failure = checkLoginForm({ ...form, ...passwordRule(state), remembered: form.remember_token !== null })
  if (failure) {
    login.set({ invalid: failure.field, cursor: { field: failure.field } })
    return showToast(failure.msg, 'warning', failure.duration_ms)
  }
  if (state.captcha_state !== 'ready' || !captcha) return refreshCaptcha(login)
  login.set({ busy: true })
  const face = state.school_state === 'ready' ? state.face : await loadSchool(login)
  const answer = await sendLogin(form, captcha, face, login.visit.school_id)
  setTimeout(() => renewCaptcha(login), REFRESH_AFTER_MS)
  if (answer.kind === 'ok') standFor(login, form, keepRemembered(form, answer.data))
  return follow(login, answer, form.account)
}

/** Fetches another picture; the typed signs go, since they belong to the old one. */
export function renewCaptcha(login: Login): void {
  void refreshCaptcha(login)
  login.set(resumed({ ...login.get().form, captcha: '' }))
}

/** The remember token just sent is void: the new one, or nothing, takes its place in the form. */
function standFor(login: Login, sent: Form, remember_token: string | null): void {
  if (sent.remember_token !== null) login.set({ form: { ...login.get().form, remember_token } })
}

/** Strong mode is known only at a school's own address (platform rule P1); the upper bound is the school's (P4). */
function passwordRule({ face, password_set }: LoginState) {
  return { strong: face?.is_password_strong === 1, login_max: password_set?.login_max }
}
