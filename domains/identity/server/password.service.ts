import { identityErrors, identityEvents } from '@campus/identity/contract'
import { fail } from '@kit/contract'
import { publish } from '@kit/server/event'
import { schoolsOf } from './account.queries.ts'
import type { Desk, IdentityHandle } from './db.ts'
import { forgetSessions } from './gate.ts'
import { hashPassword, verifyPassword } from './hash-pool.ts'
import { passwordOwners } from './password-owner.ts'
import { gradeOf, mustRaise, refuseNew, strictest } from './password-rule/rule.ts'
import type { PasswordRule } from './password-rule/rule.ts'
import { raiseLoginMax, readRule } from './password-set.queries.ts'
import { revokeRemembered } from './remember.queries.ts'
import { openSchools } from './role-list.service.ts'
import { revokeSessions } from './session.queries.ts'

/** The longest history a school may ask for. */
const kept_passwords = 10

/** A new password for an account; `confirm` runs in the transaction that writes it and may refuse. */
export type PasswordChange = { user_id: string; password: string; except_session?: string; confirm?: (db: IdentityHandle) => Promise<void> }

/**
 * Sets the person's own password: rule of all his schools, history, hash, then the account; all other sessions and all remembered logins
 * end, and login forms too short for it are raised (chapter 10 P4, P5, §2 Password).
 * @throws Refusal 422 passwordRule, passwordStrong, passwordSimple, passwordReused
 */
export async function changePassword(desk: Desk, change: PasswordChange): Promise<{ school_id: number }> {
  const { user_id, password } = change
  const { account, school_ids, past } = await desk.own(0, db => findPast(db, user_id))
  const schools = await openSchools(desk, account, school_ids)
  const rule = strictest(schools.map(school => school.rule))
  const owners = await passwordOwners(desk, account, schools)
  const refusal = refuseNew(password, rule, owners)
  if (refusal) throw refusal
  await refuseReused(password, [account.password_hash, ...past].slice(0, rule.history_count))
  const password_hash = await hashPassword(password)
  const pwd_grade = gradeOf(password, rule, owners)
  await desk.own(0, async db => {
    await change.confirm?.(db)
    await storePassword(db, account, { password_hash, pwd_grade, pwd_state: 1 }, desk.now)
  })
  for (const school of schools) await settle(desk, school.rule, change)
  await settle(desk, await desk.own(0, db => readRule(db, 0)), change)
  return { school_id: school_ids[0] ?? 0 }
}

async function findPast(db: IdentityHandle, user_id: string) {
  const account = await db.selectFrom('account').select(['user_id', 'username', 'super_slot', 'password_hash', 'pwd_set_at']).where('user_id', '=', user_id).executeTakeFirstOrThrow()
  const rows = await db.selectFrom('password_history').select('password_hash').where('user_id', '=', user_id).orderBy('set_at', 'desc').limit(kept_passwords).execute()
  return { account, school_ids: await schoolsOf(db, user_id), past: rows.map(row => row.password_hash) }
}

async function refuseReused(password: string, hashes: readonly (string | null)[]): Promise<void> {
  for (const hash of hashes) {
    if (hash !== null && (await verifyPassword(hash, password))) throw fail(identityErrors.passwordReused)
  }
}

type Old = { user_id: string; password_hash: string | null; pwd_set_at: Date | null }

/** `pwd_state`: 1 the person's own, 3 reset by somebody else. */
type Fresh = { password_hash: string; pwd_grade: number; pwd_state: 1 | 3; vuln_reason?: null }

/** Sets the password of an account; the old hash goes to the history, whoever had set it, and remembered logins end. */
export async function storePassword(db: IdentityHandle, { user_id, password_hash, pwd_set_at }: Old, fresh: Fresh, now: Date): Promise<void> {
  if (password_hash !== null) {
    const row = { user_id, set_at: pwd_set_at ?? now, password_hash }
    await db.insertInto('password_history').values(row).onConflict(oc => oc.doNothing()).execute()
  }
  const kept = db.selectFrom('password_history').select('set_at').where('user_id', '=', user_id).orderBy('set_at', 'desc').limit(kept_passwords)
  await db.deleteFrom('password_history').where('user_id', '=', user_id).where('set_at', 'not in', kept).execute()
  await db.updateTable('account').set({ ...fresh, pwd_set_at: now, updated_at: now }).where('user_id', '=', user_id).execute()
  await revokeRemembered(db, user_id, now)
}

/** What follows in one school: sessions end, the login form takes as many signs as the password has. */
async function settle(desk: Desk, rule: PasswordRule, { user_id, password, except_session }: PasswordChange): Promise<void> {
  const { school_id } = rule
  const ended = await desk.own(school_id, async db => {
    if (mustRaise(password.length, rule)) await raiseLoginMax(db, school_id)
    if (school_id !== 0) await publish({ ...desk, db, school_id, me: { user_id } }, identityEvents.passwordChanged, { user_ids: [user_id], by_self: true })
    return revokeSessions(db, { app: desk.app, school_id, user_id, reason: 'password', now: desk.now }, except_session)
  })
  forgetSessions(desk.app, ended)
}
