import type { SchoolKeeper } from '@campus/school/server'
import { identityErrors, identityEvents } from '@campus/identity/contract'
import { fail } from '@kit/contract'
import { publish } from '@kit/server/event'
import { sql } from 'kysely'
import { ensureUsers, issueAccount } from './account.queries.ts'
import { randomPassword } from './account.reset.ts'
import { asIdentity } from './db.ts'
import { forgetSchool } from './gate.ts'
import { tellEnded } from './realtime.tell.ts'
import { hashPassword } from './hash-pool.ts'
import { grantRole } from './role.queries.ts'
import { school_admin_role } from './standing-code.ts'
import { spendRecheck } from './ticket.queries.ts'

const staff_kind = 2
const issued_state = 2
/** R9: the name means nothing by itself, so that nobody takes it for the privilege. */
const reserved = 'super'

/** What the school domain asks of the keeper of accounts when a school begins, stops or goes on. */
export const schoolKeeper: SchoolKeeper = {
  spendRecheck,
  forget: forgetSchool,
  async use(db, school_id, now) {
    const { rows } = await sql<{ people: number; online: number; last_login_at: Date | null }>`
      select (select count(*)::int from school_user where school_id = ${school_id} and left_at is null) as people,
        (select count(distinct user_id)::int from session where school_id = ${school_id} and revoked_at is null and idle_until > ${now} and absolute_until > ${now}) as online,
        (select max(started_at) from session where school_id = ${school_id}) as last_login_at`.execute(db)
    return rows[0] ?? { people: 0, online: 0, last_login_at: null }
  },
  async newPassword() {
    const password = randomPassword()
    return { password, password_hash: await hashPassword(password) }
  },
  async addAdmin({ app, db, school_id, now }, { admin_account, admin_name, password_hash }) {
    if (admin_account.toLowerCase() === reserved) throw fail(identityErrors.usernameTaken)
    const [user_id = ''] = await ensureUsers(db, school_id, [{ user_no: admin_account, user_name: admin_name, user_kind: staff_kind }])
    await issueAccount(db, { user_id, username: admin_account, password_hash, pwd_state: issued_state, pwd_set_at: now })
    await publish({ app, db, school_id, now }, identityEvents.accountCreated, { user_id })
    const own = asIdentity(db)
    const { role_id } = await own.selectFrom('role').select('role_id').where('school_id', '=', school_id).where('code', '=', school_admin_role).executeTakeFirstOrThrow()
    await grantRole(db, school_id, [{ role_id, user_id, valid_from: now }])
  },
  async shut({ app, db, school_id, now }) {
    const own = asIdentity(db)
    const ended = await own
      .updateTable('session')
      .set({ revoked_at: now, revoke_reason: 'school_suspended' })
      .where('school_id', '=', school_id)
      .where('revoked_at', 'is', null)
      .where('idle_until', '>', now)
      .where('absolute_until', '>', now)
      .returning('session_id')
      .execute()
    await tellEnded({ app, db, school_id, now }, ended.map(row => row.session_id), 'school_suspended')
    await own.deleteFrom('provider_visit').where('school_id', '=', school_id).execute()
    await own.deleteFrom('ticket').where(eb => eb.or([eb('school_id', '=', school_id), eb('entry_school_id', '=', school_id)])).execute()
    return ended.length
  },
}
