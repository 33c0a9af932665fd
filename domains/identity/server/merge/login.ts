import type { QueryExecutorProvider } from 'kysely'
import { asIdentity } from '../db.ts'

/** Whether no school is left to an account. */
export async function isNowhere(db: QueryExecutorProvider, user_id: string): Promise<boolean> {
  const here = await asIdentity(db).selectFrom('account_school').select('school_id').where('user_id', '=', user_id).where('left_at', 'is', null).executeTakeFirst()
  return here === undefined
}

/** Gives the login of one account to another that has none, with its password; false when there is nothing to move. */
export async function moveLogin(db: QueryExecutorProvider, from: string, to: string, now: Date): Promise<boolean> {
  const own = asIdentity(db)
  const giver = await own.selectFrom('account').select(['username', 'password_hash', 'pwd_state', 'pwd_set_at', 'pwd_grade', 'vuln_reason']).where('user_id', '=', from).executeTakeFirst()
  const taker = await own.selectFrom('account').select('username').where('user_id', '=', to).executeTakeFirst()
  if (!giver || giver.username === null || !taker || taker.username !== null) return false
  await own.updateTable('account').set({ username: null, password_hash: null, pwd_state: 2, pwd_set_at: null, pwd_grade: 0, vuln_reason: null, updated_at: now }).where('user_id', '=', from).execute()
  await own.updateTable('account').set({ ...giver, updated_at: now }).where('user_id', '=', to).execute()
  return true
}
