import type { Answer } from './call.ts'
import { messages } from './call.ts'
import { getCaptcha, postForcedPassword, postLogin } from './calls.ts'
import type { Form } from './form-state.ts'
import { writeStored } from './storage.ts'
import type { Captcha, LoginReply, SchoolFace } from './wire.ts'

const LOGIN_PATH = '/web/account/loginCheck'
const DIRECTORY_CALL = 'auth/cloud_auth/login_check'

/**
 * Sends the login form. Account and password are encrypted for the server and bound to the captcha. A remembered password
 * is a token of 256 bits, not a password: then the `password` field is the cipher of the text `remember:` + token, and the
 * server, seeing that prefix, checks the token (and its device cookie) instead of a password hash. Whoever chooses a
 * password that begins so cannot log in with it, so the server should refuse it as a new password.
 * `remember: true` asks for a new token, on each login again, since a token works once.
 */
export async function sendLogin(form: Form, captcha: Captcha, face: SchoolFace | null, school_id: number | undefined): Promise<Answer<LoginReply>> {
  const seal = await sealWith(captcha)
  if (typeof seal === 'string') return { kind: 'lost', msg: seal }
  const secret = form.remember_token === null ? form.password : `remember:${form.remember_token}`
  return postLogin(loginPathOf(face), {
    username: seal(form.account),
    password: seal(secret),
    cap_key: captcha.key,
    cap_value: form.captcha,
    ...(school_id === undefined ? {} : { school_id }),
    ...(form.remember ? { remember: true } : {}),
  })
}

/** The directory's call when the school of the address has a password provider, else the product's own. */
function loginPathOf(face: SchoolFace | null): string {
  return face?.login_password_call === DIRECTORY_CALL ? `/web/${DIRECTORY_CALL}` : LOGIN_PATH
}

/** Sends a new password under a fresh nonce captcha (platform rule C2). */
export async function sendForcedPassword(password: string, code: string): Promise<Answer<object>> {
  const nonce = await getCaptcha('nonce')
  if (nonce.kind !== 'ok') return nonce
  const seal = await sealWith(nonce.data)
  if (typeof seal === 'string') return { kind: 'lost', msg: seal }
  return postForcedPassword({ pwd: seal(password.normalize('NFC')), code, cap_key: nonce.data.key })
}

/**
 * Keeps or forgets the remembered login after a right password; answers the token that now stands for it. It happens at
 * once, not when the console opens: the token just used is already void.
 */
export function keepRemembered(form: Form, reply: LoginReply): string | null {
  const token = form.remember ? reply.remember_token ?? null : null
  if (token === null) return forgetRemembered()
  writeStored('account', form.account)
  writeStored('password', token)
  return token
}

/** Forgets account and token of the remembered login. */
export function forgetRemembered(): null {
  writeStored('account', null)
  writeStored('password', null)
  return null
}

/** The sealing function of one captcha, or the sentence that says why there is none. */
async function sealWith({ key, public_key, key_id }: Captcha): Promise<((plain: string) => string) | string> {
  const loaded = await loadSm2()
  if (!loaded) return messages.network
  if (typeof globalThis.crypto?.getRandomValues !== 'function') return '浏览器版本过低，请更换浏览器'
  return plain => loaded.encryptField(plain, key, public_key, key_id)
}

/** Fetches the encryption code, which is not part of the first paint; null when the network refuses. */
export async function loadSm2() {
  try {
    return await import('@kit/contract/sm2')
  } catch {
    return null
  }
}
