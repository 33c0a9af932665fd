import { loginApi } from '@campus/identity/contract'
import type { Call, Reply } from '@kit/contract'
import { encryptField } from '@kit/contract/sm2'
import { z } from 'zod'
import { send } from './client.ts'
import type { Answered } from './client.ts'

const Envelope = z.object({ code: z.number(), msg: z.string(), data: z.unknown() })
/** What the test environment draws into every captcha. */
const fixed_captcha = '2222'
const success = 600

/** Fields encrypted under one captcha, as the login page sends them. */
export type Sealed = { username: string; password: string; cap_key: string; cap_value: string; captcha_ms: number }

/** The data of an answer, parsed by the reply schema of its call. */
export function dataOf<E extends Call>(call: E, answer: Answered): Reply<E>
export function dataOf(call: Call, answer: Answered): unknown {
  const { code, msg, data } = Envelope.parse(JSON.parse(answer.text))
  if (code !== success) throw new Error(`${call.call}: ${answer.status} ${code} ${msg}`)
  return z.parse(call.details.reply, data)
}

/** Fetches a captcha and encrypts account and password under it. */
export async function sealLogin(url: string, username: string, password: string, from?: string): Promise<Sealed> {
  const answer = await send(`${url}${loginApi.captcha.paths[0]}?type=login`, { from })
  const { key, public_key, key_id } = dataOf(loginApi.captcha, answer)
  const seal = (text: string) => encryptField(text, key, public_key, key_id)
  return { username: seal(username), password: seal(password), cap_key: key, cap_value: fixed_captcha, captcha_ms: answer.ms }
}

/** Sends the login itself. */
export function tryLogin(url: string, { captcha_ms: _ms, ...json }: Sealed, from?: string): Promise<Answered> {
  return send(`${url}${loginApi.check.paths[0]}`, { method: 'POST', json, from })
}

/** The whole way in: login, then the session of the first identity. @returns its token, and the milliseconds of the two calls and the captcha */
export async function enter(url: string, sealed: Sealed, from?: string): Promise<{ token: string; ms: number }> {
  const checked = await tryLogin(url, sealed, from)
  const { token: ticket, role_list } = dataOf(loginApi.check, checked)
  const [role] = role_list
  if (!role) throw new Error('the account has no identity')
  const { id: role_no, code, user_id, user_dep, school_id } = role
  const query = new URLSearchParams({ role_no, code, user_id, user_dep, school_id: String(school_id), client: 'web' })
  const entered = await send(`${url}${loginApi.token.paths[0]}?${query}`, { token: ticket, from })
  return { token: dataOf(loginApi.token, entered).token, ms: sealed.captcha_ms + checked.ms + entered.ms }
}
