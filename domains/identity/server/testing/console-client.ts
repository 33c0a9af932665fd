import { loginApi } from '@campus/identity/contract'
import type { LoginReply, RoleEntry } from '@campus/identity/contract'
import { encryptField } from '@kit/contract/sm2'
import { z } from 'zod'
import { good_password } from './person.ts'
import { dataOf } from './wire.ts'
import type { Answer, TestServer } from './wire.ts'

const test_captcha = '2222'

export type Sealed = { cap_key: string; texts: string[] }
export type Login = { username: string; password?: string; school_id?: number; cap_value?: string; remember?: boolean; cookie?: string }

/** Encrypts texts as the browser does, under one fresh captcha. */
export async function sealed(app: TestServer, type: 'login' | 'nonce', texts: readonly string[]): Promise<Sealed> {
  const captcha = dataOf(loginApi.captcha, await app.call(loginApi.captcha, { type }))
  return { cap_key: captcha.key, texts: texts.map(text => encryptField(text, captcha.key, captcha.public_key, captcha.key_id)) }
}

/** Body of a login as the page would send it. */
export async function loginBody(app: TestServer, { username, password = good_password, school_id, cap_value = test_captcha, remember }: Login) {
  const { cap_key, texts } = await sealed(app, 'login', [username, password])
  return { username: texts[0] ?? '', password: texts[1] ?? '', cap_key, cap_value, school_id, remember }
}

/** Tries to log in. */
export async function login(app: TestServer, as: Login): Promise<Answer> {
  return app.call(loginApi.check, await loginBody(app, as), as.cookie ? { headers: { cookie: as.cookie } } : {})
}

/** Logs in; the reply of a success. */
export async function loggedIn(app: TestServer, as: Login): Promise<LoginReply> {
  const answer = await login(app, as)
  if (answer.body.code !== 600) throw new Error(`login answered ${answer.body.code} ${answer.body.msg}`)
  return dataOf(loginApi.check, answer)
}

/** Asks for the session of an identity with a ticket or a session token; a super account says why. */
export function enter(app: TestServer, entry: Pick<RoleEntry, 'id' | 'code' | 'user_id' | 'user_dep' | 'school_id'>, token: string, is_invalidate: '0' | '1' = '0'): Promise<Answer> {
  const { id, code, user_id, user_dep, school_id } = entry
  const reason = id.startsWith('-') ? '日常巡检' : undefined
  return app.call(loginApi.token, { role_no: id, code, user_id, user_dep, school_id, client: 'web', is_invalidate, reason }, { token })
}

/** Logs in and enters the first identity; token and cookies of the session. */
export async function signedIn(app: TestServer, as: Login) {
  const reply = await loggedIn(app, as)
  const [entry] = reply.role_list
  if (!entry) throw new Error('no usable identity')
  const answer = await enter(app, entry, reply.token)
  return { ...dataOf(loginApi.token, answer), cookie: cookieOf(answer, 'campus_refresh'), entry }
}

/** A Cookie header with one cookie that an answer set. */
export function cookieOf(answer: Answer, name: string): string {
  const line = answer.headers.getSetCookie().find(cookie => cookie.startsWith(`${name}=`))
  return line?.split(';')[0] ?? ''
}

/** The ticket that 6005 and 6006 carry. */
export function ticketOf(answer: Answer): { token: string; have_more_school: number } {
  return z.object({ token: z.string(), have_more_school: z.number() }).parse(answer.body.data)
}
