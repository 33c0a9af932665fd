import { identityErrors } from '@campus/identity/contract'
import type { LoginBody, LoginReply } from '@campus/identity/contract'
import { fail } from '@kit/contract'
import type { Pre } from '@kit/server/http'
import type { z } from 'zod'
import { findAccount } from './account.queries.ts'
import { consumeCaptcha } from './captcha.service.ts'
import type { Desk } from './db.ts'
import { deviceOf, keepDevice } from './device-cookie.ts'
import { refuseWhenBusy } from './hash-pool.ts'
import { answerLogin } from './login-answer.service.ts'
import { lookUp } from './login-lookup.service.ts'
import type { LoginFacts } from './login-lookup.service.ts'
import { checkPolicy } from './login-policy.service.ts'
import { prove, tellCopied } from './login-proof.service.ts'
import type { Proof } from './login-proof.service.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { isKnownDevice, issueRemembered, rotateRemembered } from './remember.queries.ts'
import { openSchools, usableRoles } from './role-list.service.ts'
import { openFields } from './sm2-key.ts'
import { waitOfAddress } from './throttle.queries.ts'

type Body = z.output<typeof LoginBody>

/**
 * A login attempt in the order of chapter 10 §2: cipher, rates, captcha, account and password, school of the address, policy, identities, ticket.
 * @throws Refusal of the first guard that fails; 6005, 6006, 6007 only after a right password and captcha
 */
export async function attemptLogin(pre: Pre, body: Body): Promise<LoginReply> {
  const desk: Desk = pre
  const { cap_key, school_id } = body
  const { username, password } = await openFields(desk, cap_key, { username: body.username, password: body.password })
  await refuseFastGuesses(pre, username)
  refuseWhenBusy()
  const captcha = { cap_key, kind: 'login' as const, answer: body.cap_value }
  if (!(await desk.own(0, db => consumeCaptcha(db, desk.app, captcha, desk.now)))) throw fail(identityErrors.captchaWrong)
  const facts = await lookUp(pre, username, school_id)
  noteFor(pre, facts)
  const proof = await oneAtATime(facts.subject, () => prove(pre, facts, password))
  const schools = await openSchools(desk, proof.account, facts.school_ids)
  await checkPolicy(desk, proof, schools, school_id)
  const role_list = usableRoles(schools, facts.entry ?? {}, body.client)
  const remember_token = await remember(pre, proof, body.remember === true)
  return answerLogin(pre, proof.account, { schools, role_list, school_id, remember_token })
}

/**
 * An address that failed too often in this minute waits until it is over, right passwords too: which one is right is only known after it was tried. Whoever
 * comes from a device that holds the live remembered login of that very account does not wait, as he is not shut out by its lock (decision 0015).
 * @throws Refusal 429 tooFast
 */
export async function refuseFastGuesses(pre: Pre, username?: string): Promise<void> {
  const desk: Desk = pre
  const wait = await desk.own(0, db => waitOfAddress(db, pre.request.ip, desk.app.config.CAMPUS_LOGIN_FAILS_PER_MINUTE, desk.now))
  if (wait === 0) return
  const account = username === undefined ? undefined : await desk.own(0, db => findAccount(db, username))
  const is_known = account !== undefined && (await desk.own(0, db => isKnownDevice(db, account.user_id, deviceOf(pre), desk.now)))
  if (!is_known) throw fail(identityErrors.tooFast, { retry_after: wait })
}

/** The log line of an attempt lies in the school of the address, else in the first school of the account, else with the platform. */
function noteFor(pre: Pre, { account, school_ids, entry }: LoginFacts): void {
  const school_id = entry?.exists ? entry.school_id : (school_ids[0] ?? 0)
  pre.note({ school_id, user_id: account?.user_id, target_kind: 'account', target_id: account?.user_id, target_name: account?.username ?? undefined })
}

/** Spends the remember token that was used and gives the next one when asked to. */
async function remember(pre: Pre, { account, remember_token }: Proof, is_asked: boolean): Promise<string | undefined> {
  const desk: Desk = pre
  const spent = remember_token === null ? null : await desk.own(0, db => rotateRemembered(db, remember_token, desk.now))
  if (spent?.kind === 'copied') await tellCopied(pre, spent.user_id)
  if (spent !== null && spent.kind !== 'spent') throw fail(identityErrors.rememberInvalid)
  if (!is_asked) return undefined
  const device = keepDevice(pre)
  return desk.own(0, db => issueRemembered(db, account.user_id, device, spent?.family ?? null, desk.now))
}
