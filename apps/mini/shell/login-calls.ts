import type { loginApi, LoginReply, RoleEntry } from '@campus/identity/contract'
import type { schoolApi } from '@campus/school/contract'
import type { Reply } from '@kit/contract'
import { ask, Refused } from './ask.ts'

type Captcha = Reply<typeof loginApi.captcha>

/** What anybody may know of the school of the address: nothing for an unknown id. */
export async function schoolFace(school_id: number | null): Promise<Reply<typeof schoolApi.face> | null> {
  return school_id === null ? null : ask({ method: 'GET', path: `/web/school/${school_id}` })
}

/** A picture, or a key alone (`nonce`); both carry the key that encrypts. */
export function captchaOf(type: 'login' | 'nonce'): Promise<Captcha> {
  return ask<Captcha>({ method: 'GET', path: '/web/captcha', input: { type } })
}

/** Sends the form; account and password are encrypted and bound to the captcha. Throws Refused. */
export async function logIn(form: { account: string; password: string; captcha: string }, captcha: Captcha, school_id: number | null): Promise<LoginReply> {
  const seal = await sealWith(captcha)
  const input = { username: seal(form.account), password: seal(form.password), cap_key: captcha.key, cap_value: form.captcha, client: 'mini', ...(school_id === null ? {} : { school_id }) }
  return ask<LoginReply>({ method: 'POST', path: '/web/account/loginCheck', input })
}

/** Turns the ticket into the hall's session for one identity; the session then lives by its cookie. */
export async function enterAs({ id, code, user_id, user_dep, school_id }: RoleEntry, ticket: string, trust: boolean): Promise<void> {
  const input = { role_no: id, code, user_id, user_dep, is_invalidate: 0, school_id, client: 'mini', trust: trust ? 1 : 0 }
  await ask({ method: 'GET', path: '/web/userInfo/get_jwt_with_role_no', input, token: ticket })
}

/** Sets a new password with the ticket of 6005 or 6006. */
export async function setForcedPassword(password: string, code: string): Promise<void> {
  const nonce = await captchaOf('nonce')
  const seal = await sealWith(nonce)
  await ask({ method: 'POST', path: '/web/account/modifyDefaultPassword', input: { pwd: seal(password.normalize('NFC')), code, cap_key: nonce.key } })
}

async function sealWith({ key, public_key, key_id }: Captcha): Promise<(plain: string) => string> {
  if (typeof globalThis.crypto?.getRandomValues !== 'function') throw new Refused(0, 0, '浏览器版本过低，请更换浏览器')
  const { encryptField } = await import('@kit/contract/sm2')
  return plain => encryptField(plain, key, public_key, key_id)
}
