import { identityErrors } from '@campus/identity/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Me } from '@kit/server/http'
import { sql } from 'kysely'
import type { IdentityHandle, IdentityStep } from './db.ts'
import { super_role } from './standing-code.ts'

/** The code of whoever administers roles; somebody must always hold it. */
const admin_code = 'identity.role.edit'
/** Whose right ends within a minute does not keep a school administered: clocks of two nodes differ, and both may be ending one. */
const soon_ms = 60_000

/** A role of the school that has not been removed. @throws Refusal 404 */
export async function requireRole(db: IdentityHandle, school_id: number, role_id: string) {
  const role = await db
    .selectFrom('role')
    .select(['role_id', 'code', 'name', 'role_group_id', 'client_kind', 'is_system', 'enabled', 'allow_login_web', 'allow_login_web_text', 'dept_is_exact', 'sync_type', 'perm_version', 'row_version'])
    .where('school_id', '=', school_id)
    .where('role_id', '=', role_id)
    .where('is_app', '=', false)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (!role) throw fail(commonErrors.notFound)
  return role
}
export type FoundRole = Awaited<ReturnType<typeof requireRole>>

/** Why a role may not be changed by this identity; null when it may (chapter 10 R7, R8). */
export function lockOf(me: Pick<Me, 'role_id'>, role: Pick<FoundRole, 'role_id' | 'code' | 'sync_type'>) {
  if (role.code === super_role) return identityErrors.roleFixed
  if (role.role_id === me.role_id) return identityErrors.ownRole
  return role.sync_type === 1 ? identityErrors.roleSynced : null
}

/** @throws Refusal 422 with the sentence of `lockOf` */
export function requireEditable(me: Pick<Me, 'role_id'>, role: FoundRole): void {
  const locked = lockOf(me, role)
  if (locked) throw fail(locked)
}

/**
 * Does what may take away the right to administer roles, one such work after the other: the rows of the school's roles are locked first, and a
 * school that had an administrator has one afterwards (chapter 10 R7).
 * @throws Refusal 409 lastAdmin; the caller's transaction then takes everything back
 */
export async function keepAdministered<R>({ db, school_id, now }: Pick<IdentityStep, 'db' | 'school_id' | 'now'>, work: () => Promise<R>): Promise<R> {
  await db.selectFrom('role').select('role_id').where('school_id', '=', school_id).orderBy('role_id').forNoKeyUpdate().execute()
  const before = await countAdmins(db, school_id, now)
  const result = await work()
  if (before > 0 && (await countAdmins(db, school_id, now)) === 0) throw fail(identityErrors.lastAdmin)
  return result
}

/** People who administer roles: present, able to sign in on the web, with a role that is in force and not about to end. */
async function countAdmins(db: IdentityHandle, school_id: number, now: Date): Promise<number> {
  const soon = new Date(now.getTime() + soon_ms)
  const { n } = await db
    .selectFrom('role_member as m')
    .innerJoin('role as r', join => join.onRef('r.school_id', '=', 'm.school_id').onRef('r.role_id', '=', 'm.role_id'))
    .innerJoin('role_permission as p', join => join.onRef('p.school_id', '=', 'r.school_id').onRef('p.role_id', '=', 'r.role_id'))
    .innerJoin('school_user as u', join => join.onRef('u.school_id', '=', 'm.school_id').onRef('u.user_id', '=', 'm.user_id'))
    .innerJoin('account as a', 'a.user_id', 'm.user_id')
    .select(sql<number>`count(distinct m.user_id)::int`.as('n'))
    .where('m.school_id', '=', school_id)
    .where('p.code', '=', admin_code)
    .where('r.enabled', '=', true)
    .where('r.allow_login_web', '=', 0)
    .where('u.left_at', 'is', null)
    .where('a.enabled', '=', true)
    .where('m.valid_from', '<=', now)
    .where(eb => eb.or([eb('m.valid_to', 'is', null), eb('m.valid_to', '>', soon)]))
    .executeTakeFirstOrThrow()
  return n
}
