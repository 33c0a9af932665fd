import { randomInt } from 'node:crypto'
import { identityErrors, identityEvents } from '@campus/identity/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Failure } from '@kit/contract'
import { publish } from '@kit/server/event'
import type { Publisher } from '@kit/server/event'
import type { Me, Pre } from '@kit/server/http'
import { requireTakeover } from './account.takeover.ts'
import type { Target } from './account.target.ts'
import { batches } from './db.ts'
import type { Desk, IdentityHandle } from './db.ts'
import { forgetSessions } from './gate.ts'
import { hashPassword, refuseWhenBusy } from './hash-pool.ts'
import { storePassword } from './password.service.ts'
import { revokeSessions } from './session.queries.ts'
import { forgetGuesses } from './throttle.queries.ts'

const reset_state = 3
const at_once = 20
const password_length = 12
/** No sign that is taken for another on paper. */
const kinds = ['ABCDEFGHJKLMNPQRSTUVWXYZ', 'abcdefghijkmnpqrstuvwxyz', '23456789'] as const

/** A password that somebody has been given: works once, then a new one must be set. */
export type IssuedPassword = { user_id: string; password: string }
/** Who asks for passwords, and for which school. */
type Order = { school_id: number } & Pick<Publisher, 'me' | 'request'>

/**
 * Gives one person a random password, the answer of which is the only place where it ever stands. All his sessions and remembered logins end.
 * @throws Refusal 404, 409 severalSchools, 422 superAccount, ownAccount, higherAccount, noLogin, vulnerableAccount, 429 resetTooOften
 */
export async function resetPassword(pre: Pre, { user_id }: { user_id: string }): Promise<{ user_name: string; username: string; password: string }> {
  const desk: Desk = pre
  const { me, target, elsewhere } = await requireTakeover(pre, user_id, refusedTo)
  const { school_id } = me
  refuseWhenBusy()
  const [issued] = await setSysPwd(desk, { school_id, me, request: pre.request }, [target], elsewhere)
  if (!issued || target.username === null) throw fail(commonErrors.notFound)
  pre.note({ after: { pwd_state: reset_state } })
  return { user_name: target.user_name, username: target.username, password: issued.password }
}

/** Why a password would be of no use. */
function refusedTo({ username, vuln_reason }: Target, { is_super }: Me): Failure | null {
  if (username === null) return identityErrors.noLogin
  return vuln_reason !== null && !is_super ? identityErrors.vulnerableAccount : null
}

/**
 * Gives every one of these people a random password of his own, 20 a transaction, hashed before it begins. For work that runs by itself and
 * hands the passwords out on paper; nothing keeps them. The caller has decided who may be touched.
 */
export async function setSysPwd(desk: Desk, order: Order, targets: readonly Target[], elsewhere: readonly number[] = []): Promise<IssuedPassword[]> {
  const issued: IssuedPassword[] = []
  for (const batch of batches(targets, at_once)) {
    const fresh = await Promise.all(batch.map(async target => {
      const password = randomPassword()
      return { target, password, password_hash: await hashPassword(password) }
    }))
    const ended = await desk.own(order.school_id, async db => {
      for (const { target, password_hash } of fresh) await storePassword(db, target, { password_hash, pwd_grade: 0, pwd_state: reset_state, vuln_reason: null }, desk.now)
      const user_ids = batch.map(target => target.user_id)
      await publish({ ...desk, ...order, db }, identityEvents.passwordChanged, { user_ids, by_self: false })
      return endLogins(db, desk, order.school_id, batch)
    })
    forgetSessions(desk.app, ended)
    issued.push(...fresh.map(({ target, password }) => ({ user_id: target.user_id, password })))
  }
  for (const school_id of elsewhere) forgetSessions(desk.app, await desk.own(school_id, db => endLogins(db, desk, school_id, targets)))
  return issued
}

/** Locks from wrong guesses fall with the password that was guessed at; sessions end. */
async function endLogins(db: IdentityHandle, { app, now }: Desk, school_id: number, targets: readonly Target[]): Promise<string[]> {
  const ended: string[] = []
  for (const { user_id, username_key } of targets) {
    if (username_key !== null) await forgetGuesses(db, username_key)
    ended.push(...(await revokeSessions(db, { app, school_id, user_id, reason: 'password', now }, undefined)))
  }
  return ended
}

/** Twelve signs with a capital, a small letter and a digit: every login form takes them (chapter 10 P4). */
export function randomPassword(): string {
  const all = kinds.join('')
  const pick = (signs: string) => signs.charAt(randomInt(signs.length))
  for (;;) {
    const text = Array.from({ length: password_length }, () => pick(all)).join('')
    if (kinds.every(kind => [...text].some(sign => kind.includes(sign)))) return text
  }
}
