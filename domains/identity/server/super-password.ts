import { findAccount, schoolsOf } from './account.queries.ts'
import type { Own } from './db.ts'
import { revokeRemembered } from './remember.queries.ts'
import { revokeSessions } from './session.queries.ts'
import { forgetGuesses } from './throttle.queries.ts'

/** Account names of the super accounts, as they were typed. */
export async function superAccounts(own: Own): Promise<string[]> {
  const rows = await own(0, db => db.selectFrom('account').select('username').where('super_slot', 'is not', null).orderBy('super_slot').execute())
  return rows.flatMap(({ username }) => username ?? [])
}

/**
 * Gives a super account another password, which must be changed at the next login: all its sessions and remembered logins end, locks from
 * wrong guesses fall, a switched-off account is on again. False when there is no super account of that name.
 */
export async function resetSuperPassword(own: Own, username: string, password_hash: string, now: Date): Promise<boolean> {
  const schools = await own(0, async db => {
    const account = await findAccount(db, username)
    if (!account || account.super_slot === null) return null
    const { user_id } = account
    await db.updateTable('account').set({ password_hash, pwd_state: 3, pwd_set_at: now, pwd_grade: 0, vuln_reason: null, enabled: true, updated_at: now }).where('user_id', '=', user_id).execute()
    await revokeRemembered(db, user_id, now)
    await forgetGuesses(db, username.toLowerCase())
    return { user_id, ids: await schoolsOf(db, user_id) }
  })
  if (!schools) return false
  const { user_id, ids } = schools
  for (const school_id of ids) await own(school_id, db => revokeSessions(db, { app: null, school_id, user_id, reason: 'password', now }, undefined))
  return true
}
