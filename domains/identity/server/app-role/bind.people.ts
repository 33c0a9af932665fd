import { identityErrors } from '@campus/identity/contract'
import type { appRoleApi } from '@campus/identity/contract'
import type { Failure, Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import type { IdentityCtx } from '../db.ts'
import { insertMembers } from '../member.queries.ts'
import { reachable } from '../member.write.ts'
import { changeAppRole } from './app-role.access.ts'
import { once, requireGivable, shortened, toldOf } from './bind.outcome.ts'
import { isOfKind } from './reach.ts'

type Draft = Input<typeof appRoleApi.bindUser>
type Told = Reply<typeof appRoleApi.bindUser>
const own_department = '1'

/** Names people one by one; whoever cannot be is told with the reason. @throws Refusal 404, 409 stale, 422 notHeld, and the first reason when nobody could be */
export async function bindUsers(ctx: IdentityCtx, { user_ids, ...which }: Draft): Promise<Told> {
  const { db, school_id, me, now } = ctx
  const asked = once(user_ids)
  const names = await reachable(ctx, asked)
  return changeAppRole(ctx, which, async role => {
    await requireGivable(ctx, role.role_id)
    const fitting = await ofKind(ctx, role.client_kind, asked)
    const faultOf = (user_id: string): Failure | null => {
      if (!names.has(user_id)) return identityErrors.memberUnknown
      return fitting.has(user_id) ? null : identityErrors.appKindRefused
    }
    const grant = { school_id, role_id: role.role_id, valid_from: now, valid_to: null, by: me.user_id, now }
    const given = await insertMembers(db, grant, asked.filter(user_id => !faultOf(user_id)).map(user_id => ({ user_id, user_dep: own_department })))
    const told = toldOf(asked.map(user_id => {
      const fault = faultOf(user_id) ?? (given.has(`${user_id}/${own_department}`) ? null : identityErrors.alreadyMember)
      return { id: user_id, name: names.get(user_id) ?? null, fault }
    }))
    const users = told.list.flatMap(one => (one.error === null ? (one.name ?? []) : []))
    ctx.note({ target_kind: 'identity.app_role', target_id: role.role_id, target_name: role.name, after: { added: told.done, of: asked.length, users: shortened(users) } })
    return told
  })
}

async function ofKind(ctx: IdentityCtx, kind: Parameters<typeof isOfKind>[1], user_ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ user_id: string }>`
    select u.user_id from school_user u where u.school_id = ${ctx.school_id} and u.user_id = any(${[...user_ids]}::bigint[]) and ${isOfKind(ctx, kind)}`.execute(ctx.db)
  return new Set(rows.map(row => row.user_id))
}

/** Takes people out again; that they were in it until now is kept. @throws Refusal 404, 409 stale */
export async function unbindUsers(ctx: IdentityCtx, { user_ids, ...which }: Draft): Promise<Told> {
  const { db, school_id, me, now } = ctx
  const asked = once(user_ids)
  return changeAppRole(ctx, which, async role => {
    const among = sql<boolean>`user_id = any(${asked}::bigint[])`
    const ahead = db.deleteFrom('role_member').where('school_id', '=', school_id).where('role_id', '=', role.role_id).where(among).where('valid_from', '>=', now)
    const begun = db
      .updateTable('role_member')
      .set(eb => ({ valid_to: now, updated_at: now, updated_by: me.user_id, row_version: eb('row_version', '+', 1) }))
      .where('school_id', '=', school_id)
      .where('role_id', '=', role.role_id)
      .where(among)
      .where('valid_from', '<', now)
      .where(eb => eb.or([eb('valid_to', 'is', null), eb('valid_to', '>', now)]))
    const ended = new Set([...(await ahead.returning('user_id').execute()), ...(await begun.returning('user_id').execute())].map(row => row.user_id))
    const known = await db.selectFrom('school_user').select(['user_id', 'user_name']).where('school_id', '=', school_id).where(among).execute()
    const names = new Map(known.map(row => [row.user_id, row.user_name]))
    const told = toldOf(asked.map(user_id => ({ id: user_id, name: names.get(user_id) ?? null, fault: ended.has(user_id) ? null : identityErrors.appUnbound })))
    ctx.note({ target_kind: 'identity.app_role', target_id: role.role_id, target_name: role.name, before: { ended: told.done, users: shortened([...ended].flatMap(id => names.get(id) ?? [])) } })
    return told
  })
}
