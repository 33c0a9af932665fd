import { identityErrors, identityEvents } from '@campus/identity/contract'
import { fail } from '@kit/contract'
import { publish } from '@kit/server/event'
import type { Refusal } from '@kit/contract'
import type { Pre } from '@kit/server/http'
import { schoolsOf } from './account.queries.ts'
import type { Desk } from './db.ts'
import { deviceOf } from './device-cookie.ts'
import { verifyPassword } from './hash-pool.ts'
import type { Account, LoginFacts } from './login-lookup.service.ts'
import { remember_prefix } from './password-rule/rule.ts'
import { checkRemembered } from './remember.queries.ts'
import { countAttempt, countFailOfAddress, forgiveAttempt } from './throttle.queries.ts'
import type { Attempt } from './throttle.queries.ts'
import { hashToken } from './ticket.queries.ts'

const nobody = '0'

/** How an attempt proved its account: by the text of a password or by a remember token. */
export type Proof = { account: Account; typed: string | null; remember_token: string | null }

/**
 * Proves the account of an attempt (L4, L5): not locked, password right, account enabled, an identity at the school of the address. Whatever
 * fails, the caller learns the same and has waited as long: the attempt is counted first, one hash is always verified.
 * @throws Refusal 422 badCredential or rememberInvalid
 */
export async function prove(pre: Pre, facts: LoginFacts, password: string): Promise<Proof> {
  return password.startsWith(remember_prefix) ? proveRemembered(pre, facts, password.slice(remember_prefix.length)) : proveTyped(pre, facts, password)
}

async function proveTyped(pre: Pre, facts: LoginFacts, password: string): Promise<Proof> {
  const desk: Desk = pre
  const attempt = await countAndDecide(pre, facts)
  const fits = await verifyPassword(attempt.admitted ? facts.account?.password_hash : null, password)
  if (attempt.locked_until && !fits) await tellLocked(desk, facts.account?.user_id, facts.school_ids, attempt.locked_until)
  if (!facts.account || !fits || !mayEnter(facts)) throw await failed(pre, fail(identityErrors.badCredential, { params: { n: facts.lock_times } }))
  await desk.own(0, db => forgiveAttempt(db, attempt))
  return { account: facts.account, typed: password, remember_token: null }
}

/** A token of 256 bits cannot be guessed, so it neither counts to the lock nor stops at it. */
async function proveRemembered(pre: Pre, facts: LoginFacts, remember_token: string): Promise<Proof> {
  const desk: Desk = pre
  const { account } = facts
  const found = await desk.own(0, db => checkRemembered(db, remember_token, account?.user_id ?? nobody, deviceOf(pre), desk.now))
  if (found.kind === 'copied') await tellCopied(pre, found.user_id)
  if (!account || found.kind !== 'good') throw await failed(pre, fail(identityErrors.rememberInvalid))
  if (!mayEnter(facts)) throw await failed(pre, fail(identityErrors.badCredential, { params: { n: facts.lock_times } }))
  return { account, typed: null, remember_token }
}

/** A locked account still admits tries from a device that holds its remembered login; those are counted apart. */
async function countAndDecide(pre: Pre, facts: LoginFacts): Promise<Attempt> {
  const desk: Desk = pre
  const attempt = await desk.own(0, db => countAttempt(db, facts.subject, facts.lock_times, desk.now))
  if (attempt.admitted || !facts.knows_device) return attempt
  const subject = `${facts.subject}@${hashToken(deviceOf(pre) ?? '').toString('hex')}`
  return desk.own(0, db => countAttempt(db, subject, facts.lock_times, desk.now))
}

/** A copy of a remembered login was used: its owner is told in every school of the account, and the line of the attempt says why it was refused. */
export async function tellCopied(pre: Pre, user_id: string): Promise<void> {
  const desk: Desk = pre
  pre.note({ reason: '记住的登录凭证更换后被再次使用，由它记住的登录已全部失效' })
  for (const school_id of await desk.own(0, db => schoolsOf(db, user_id))) {
    await desk.own(school_id, db => publish({ ...desk, db, school_id }, identityEvents.rememberStolen, { user_id, at: desk.now.toISOString() }))
  }
}

/** Every school of the account hears of a lock. A name that does not exist opens a transaction too: who waits learns nothing. */
export async function tellLocked(desk: Desk, user_id: string | undefined, school_ids: readonly number[], until: Date): Promise<void> {
  for (const school_id of school_ids.length > 0 ? school_ids : [0]) {
    await desk.own(school_id, db => (user_id === undefined ? Promise.resolve() : publish({ ...desk, db, school_id }, identityEvents.accountLocked, { user_id, until: until.toISOString() })))
  }
}

function mayEnter({ account, entry }: LoginFacts): boolean {
  return account?.enabled === true && (entry === null || (entry.is_open && entry.has_identity))
}

async function failed(pre: Pre, refusal: Refusal): Promise<Refusal> {
  const desk: Desk = pre
  await desk.own(0, db => countFailOfAddress(db, pre.request.ip, desk.now))
  return refusal
}
