import { createHmac, randomInt, randomUUID, timingSafeEqual } from 'node:crypto'
import { identityErrors } from '@campus/identity/contract'
import type { CaptchaReply } from '@campus/identity/contract'
import { fail } from '@kit/contract'
import type { App, RequestFacts } from '@kit/server/http'
import type { QueryExecutorProvider } from 'kysely'
import type { z } from 'zod'
import { drawCaptcha } from './captcha-image/draw.ts'
import { signs } from './captcha-image/signs.ts'
import { asIdentity } from './db.ts'
import type { Desk } from './db.ts'
import { waitFor } from './rate.ts'
import { currentKey } from './sm2-key.ts'

const expire_seconds = 120
const length = 4
const fixed_answer = '2222'

/**
 * A new captcha with the encryption key of the day; `nonce` is the same without picture, for dialogs that ask for no captcha.
 * @throws Refusal 429 tooFast
 */
export async function issueCaptcha(desk: Desk & { request: RequestFacts }, kind: 'login' | 'nonce'): Promise<z.output<typeof CaptchaReply>> {
  const wait = waitFor(desk.app, desk.request.ip, desk.app.config.CAMPUS_CAPTCHA_PER_MINUTE, desk.now)
  if (wait > 0) throw fail(identityErrors.tooFast, { retry_after: wait })
  const { public_key, key_id } = await currentKey(desk)
  const cap_key = randomUUID()
  const answer = kind === 'nonce' ? null : makeAnswer(desk.app)
  const row = { cap_key, kind, answer_hash: answer === null ? null : hashAnswer(desk.app, cap_key, answer), expire_at: new Date(desk.now.getTime() + expire_seconds * 1000) }
  await desk.own(0, db => db.insertInto('captcha').values(row).execute())
  const image = answer && `data:image/png;base64,${drawCaptcha(answer).toString('base64')}`
  return { image, key: cap_key, public_key, key_id, expire_seconds }
}

/** Checks a captcha and spends it by the same statement, right or wrong. A nonce has no answer to check. */
export async function consumeCaptcha(db: QueryExecutorProvider, app: App, captcha: { cap_key: string; kind: 'login' | 'nonce'; answer?: string }, now: Date): Promise<boolean> {
  const { cap_key, kind, answer = '' } = captcha
  const found = await asIdentity(db).deleteFrom('captcha').where('cap_key', '=', cap_key).returning(['kind', 'answer_hash', 'expire_at']).executeTakeFirst()
  if (!found || found.kind !== kind || found.expire_at <= now) return false
  return kind === 'nonce' || (found.answer_hash !== null && timingSafeEqual(found.answer_hash, hashAnswer(app, cap_key, answer)))
}

/** Only the test environment, which listens on loopback alone, draws one fixed captcha. */
function makeAnswer(app: App): string {
  if (app.config.CAMPUS_ENV === 'test') return fixed_answer
  return Array.from({ length }, () => signs.charAt(randomInt(signs.length))).join('')
}

function hashAnswer(app: App, cap_key: string, answer: string): Buffer {
  return createHmac('sha256', app.secrets.token_key).update(`captcha:${cap_key}:${answer.toUpperCase()}`).digest()
}
