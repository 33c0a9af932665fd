import { identityErrors } from '@campus/identity/contract'
import type { ForcedPasswordBody, OwnPasswordBody } from '@campus/identity/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Failure } from '@kit/contract'
import type { Me, Pre } from '@kit/server/http'
import type { z } from 'zod'
import { schoolsOf } from './account.queries.ts'
import { consumeCaptcha } from './captcha.service.ts'
import type { Desk } from './db.ts'
import { verifyPassword } from './hash-pool.ts'
import { tellLocked } from './login-proof.service.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { changePassword } from './password.service.ts'
import { readRule } from './password-set.queries.ts'
import { openFields } from './sm2-key.ts'
import { countAttempt, forgiveAttempt } from './throttle.queries.ts'
import { issueTicket, spendTicket, tryPasswordTicket } from './ticket.queries.ts'

/**
 * Sets a new password with the ticket of 6005 or 6006; five tries (chapter 10 §4).
 * @throws Refusal 400 badCipher, 422 captchaWrong, 401 ticketInvalid, 422 of the password rule
 */
export async function setForcedPassword(pre: Pre, body: z.output<typeof ForcedPasswordBody>): Promise<Record<string, never>> {
  const desk: Desk = pre
  const { pwd } = await openFields(desk, body.cap_key, { pwd: body.pwd })
  await spendNonce(desk, body.cap_key)
  const ticket = await desk.own(0, db => tryPasswordTicket(db, body.code, desk.now))
  if (!ticket) throw fail(identityErrors.ticketInvalid)
  const { user_id } = ticket
  pre.note({ user_id, school_id: ticket.entry_school_id ?? undefined, target_kind: 'account', target_id: user_id })
  const { school_id } = await changePassword(desk, {
    user_id,
    password: pwd,
    confirm: async db => {
      if (!(await spendTicket(db, body.code, desk.now))) throw fail(identityErrors.ticketInvalid)
    },
  })
  pre.note({ school_id: ticket.entry_school_id ?? school_id })
  return {}
}

/**
 * The signed-in person changes his own password; a wrong old one counts to the lock.
 * @throws Refusal 403 for another person's id, 422 oldPasswordWrong, 422 of the password rule
 */
export async function setOwnPassword(pre: Pre, body: z.output<typeof OwnPasswordBody>): Promise<Record<string, never>> {
  const desk: Desk = pre
  const me = signedIn(pre)
  if (body.user_id !== me.user_id) throw fail(commonErrors.forbidden)
  const { old_pass, new_pass } = await openFields(desk, body.cap_key, { old_pass: body.old_pass, new_pass: body.new_pass })
  await spendNonce(desk, body.cap_key)
  await proveOwn(desk, me, old_pass, identityErrors.oldPasswordWrong)
  await changePassword(desk, { user_id: me.user_id, password: new_pass, except_session: me.session_id })
  pre.note({ target_kind: 'account', target_id: me.user_id })
  return {}
}

/**
 * Proves the signed-in person's password again before a dangerous act; the answer serves once within five minutes.
 * @throws Refusal 422 passwordWrong, which counts to the lock
 */
export async function recheckPassword(pre: Pre, body: { password: string; cap_key: string }): Promise<{ recheck_token: string; expire_at: string }> {
  const desk: Desk = pre
  const me = signedIn(pre)
  const { password } = await openFields(desk, body.cap_key, { password: body.password })
  await spendNonce(desk, body.cap_key)
  await proveOwn(desk, me, password, identityErrors.passwordWrong)
  const { token, expire_at } = await desk.own(0, db => issueTicket(db, { purpose: 'recheck', user_id: me.user_id, school_id: me.school_id }, desk.now))
  return { recheck_token: token, expire_at: expire_at.toISOString() }
}

function signedIn(pre: Pre): Me {
  if (!pre.me) throw fail(commonErrors.unauthorized)
  return pre.me
}

async function spendNonce(desk: Desk, cap_key: string): Promise<void> {
  const is_good = await desk.own(0, db => consumeCaptcha(db, desk.app, { cap_key, kind: 'nonce' }, desk.now))
  if (!is_good) throw fail(identityErrors.captchaWrong)
}

async function proveOwn(desk: Desk, me: Me, password: string, failure: Failure): Promise<void> {
  const subject = me.username.toLowerCase() || `id:${me.user_id}`
  const { lock_times } = await desk.own(me.school_id, db => readRule(db, me.school_id))
  await oneAtATime(subject, async () => {
    const attempt = await desk.own(0, db => countAttempt(db, subject, lock_times, desk.now))
    const account = await desk.own(0, db => db.selectFrom('account').select('password_hash').where('user_id', '=', me.user_id).executeTakeFirst())
    const fits = await verifyPassword(attempt.admitted ? account?.password_hash : null, password)
    if (!fits && attempt.locked_until) await tellLocked(desk, me.user_id, await desk.own(0, db => schoolsOf(db, me.user_id)), attempt.locked_until)
    if (!fits) throw fail(failure)
    await desk.own(0, db => forgiveAttempt(db, attempt))
  })
}
