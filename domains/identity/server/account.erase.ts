import { sql } from 'kysely'
import { asIdentity } from './db.ts'
import { userOff } from './user-state.ts'
import type { UserStateDesk } from './user-state.ts'

/** What stands in place of a name that was erased. */
const nobody = '已删除人员'

/**
 * Erases what identity knows of people who are deleted for good (chapter 20 §7 `erase`): they leave as by `userOff`, of the display copy only the id
 * stays (journals and past memberships name it), of their sessions device and address go, and where no other school is left login, passwords, phone and
 * second factor go too. Not to be taken back.
 * @returns whose account has lost its login
 */
export async function eraseUser(desk: UserStateDesk, user_ids: readonly string[]): Promise<string[]> {
  const { db, school_id } = desk
  await userOff(desk, user_ids)
  const own = asIdentity(db)
  const whose = sql<boolean>`user_id = any(${[...user_ids]}::bigint[])`
  await sql`update school_user set user_no = 'X' || user_id, user_name = ${nobody}, user_photo = null where school_id = ${school_id} and ${whose}`.execute(db)
  await own.updateTable('session').set({ device_label: '', ip: '' }).where('school_id', '=', school_id).where(whose).execute()
  await own.deleteFrom('scope_fact').where('school_id', '=', school_id).where(whose).execute()
  await own.updateTable('account_merge').set({ undone_at: desk.now, image: '{}' }).where('school_id', '=', school_id).where(sql<boolean>`(kept_user_id = any(${[...user_ids]}::bigint[]) or merged_user_id = any(${[...user_ids]}::bigint[]))`).execute()
  const { rows } = await sql<{ user_id: string }>`
    update account a set username = null, password_hash = null, pwd_state = 2, pwd_set_at = null, pwd_grade = 0, vuln_reason = null, phone_hash = null, totp_secret = null
    where a.user_id = any(${[...user_ids]}::bigint[]) and a.super_slot is null
      and not exists (select from account_school s where s.user_id = a.user_id and s.left_at is null)
    returning a.user_id`.execute(db)
  const gone = rows.map(row => row.user_id)
  const at = sql<boolean>`user_id = any(${gone}::bigint[])`
  await own.deleteFrom('password_history').where(at).execute()
  await own.deleteFrom('remember_token').where(at).execute()
  return gone
}
