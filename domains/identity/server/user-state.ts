import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import { asIdentity } from './db.ts'
import { removeBindsOf, restoreBinds } from './provider/bind.queries.ts'
import type { BindImage } from './provider/bind.queries.ts'
import { tellEnded } from './realtime.tell.ts'

/** What `userOff` ended, from which `userOn` restores it: instants as texts with their microseconds. JSON can hold it. */
export type UserOff = { user_id: string; off_at: string; roles: { role_no: string; valid_to: string | null }[]; binds?: BindImage[] }

/**
 * Ends what these people are in one school: departed, their roles over, their login codes and what outside systems bound to them gone, their
 * sessions revoked, so that the next call with a token fails within a second. Account and login stay, and with them every other school. Roles that begin later stay too: nobody who has left gets in.
 * @returns what was ended; people who had left before are absent
 */
export async function userOff(db: QueryExecutorProvider, school_id: number, user_ids: readonly string[], now: Date): Promise<UserOff[]> {
  const own = asIdentity(db)
  const left = await own
    .updateTable('school_user')
    .set({ left_at: now })
    .where('school_id', '=', school_id)
    .where('left_at', 'is', null)
    .where(among(user_ids))
    .returning(['user_id', sql<string>`left_at::text`.as('off_at')])
    .execute()
  const roles = await openRoles(db, school_id, left.map(person => person.user_id), now)
  await own
    .updateTable('role_member')
    .set(eb => ({ valid_to: now, updated_at: now, row_version: eb('row_version', '+', 1) }))
    .where('school_id', '=', school_id)
    .where(sql<boolean>`role_no = any(${roles.map(role => role.role_no)}::bigint[])`)
    .execute()
  const ended = await own
    .updateTable('session')
    .set({ revoked_at: now, revoke_reason: 'role_ended' })
    .where('school_id', '=', school_id)
    .where('revoked_at', 'is', null)
    .where(among(left.map(person => person.user_id)))
    .returning('session_id')
    .execute()
  await tellEnded(db, school_id, ended.map(row => row.session_id), 'role_ended')
  await own.deleteFrom('ticket').where('school_id', '=', school_id).where(among(left.map(person => person.user_id))).execute()
  const by_user = Map.groupBy(roles, role => role.user_id)
  const bound_by_user = Map.groupBy(await removeBindsOf(db, school_id, left.map(person => person.user_id)), bind => bind.user_id)
  return left.map(person => ({
    ...person,
    roles: (by_user.get(person.user_id) ?? []).map(({ role_no, valid_to }) => ({ role_no, valid_to })),
    binds: bound_by_user.get(person.user_id) ?? [],
  }))
}

/** Roles that hold now, locked. One that began at this very moment has no time to end in and stays. */
function openRoles(db: QueryExecutorProvider, school_id: number, user_ids: readonly string[], now: Date) {
  return asIdentity(db)
    .selectFrom('role_member')
    .select(['user_id', 'role_no', sql<string | null>`valid_to::text`.as('valid_to')])
    .where('school_id', '=', school_id)
    .where(among(user_ids))
    .where('valid_from', '<', now)
    .where(eb => eb.or([eb('valid_to', 'is', null), eb('valid_to', '>', now)]))
    .orderBy('role_no')
    .forUpdate()
    .execute()
}

/**
 * Takes `userOff` back: the people are here again and their roles last as long as they did. Sessions stay ended. Whoever somebody else
 * has brought back or sent away since is left alone, and so is a role that was changed since.
 */
export async function userOn(db: QueryExecutorProvider, school_id: number, ended: readonly UserOff[]): Promise<void> {
  const people = JSON.stringify(ended.map(({ user_id, off_at }) => ({ user_id, off_at })))
  await sql`
    update school_user u set left_at = null
    from jsonb_to_recordset(${people}::jsonb) as e(user_id bigint, off_at timestamptz)
    where u.school_id = ${school_id} and u.user_id = e.user_id and u.left_at = e.off_at`.execute(db)
  const roles = JSON.stringify(ended.flatMap(({ off_at, roles: own }) => own.map(role => ({ ...role, off_at }))))
  await sql`
    update role_member m set valid_to = e.valid_to, row_version = m.row_version + 1
    from jsonb_to_recordset(${roles}::jsonb) as e(role_no bigint, valid_to timestamptz, off_at timestamptz)
    where m.school_id = ${school_id} and m.role_no = e.role_no and m.valid_to = e.off_at`.execute(db)
  await restoreBinds(db, school_id, ended.flatMap(person => person.binds ?? []))
}

function among(user_ids: readonly string[]) {
  return sql<boolean>`user_id = any(${[...user_ids]}::bigint[])`
}
