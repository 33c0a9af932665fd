import { identityErrors } from '@campus/identity/contract'
import type { appRoleApi } from '@campus/identity/contract'
import { fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import type { IdentityCtx, IdentityHandle } from '../db.ts'
import { insertRole } from '../role.write.ts'
import { changeAppRole, requireAppGroup } from './app-role.access.ts'
import type { FoundAppRole } from './app-role.access.ts'
import { bindsOf } from './app-role.read.ts'
import { offeredModules } from './licensed-modules.ts'

type Saved = Reply<typeof appRoleApi.create>
import { keepPast } from '../role.past.ts'

/** Makes a role with the modules its group begins with, as far as the school has them; it reaches nobody yet. @throws Refusal 404, 409 nameTaken */
export async function createAppRole(ctx: IdentityCtx, draft: Input<typeof appRoleApi.create>): Promise<Saved> {
  const { db, school_id } = ctx
  const { client_kind } = await requireAppGroup(db, school_id, draft.role_group_id)
  const saved = await insertRole(ctx, { ...draft, client_kind, is_app: true, allow_login_web: 1, allow_login_web_text: null, dept_is_exact: 0 })
  const offered: readonly string[] = await offeredModules(ctx, client_kind)
  const given = await db.selectFrom('role_group_module').select(['module_code', 'order']).where('school_id', '=', school_id).where('role_group_id', '=', draft.role_group_id).orderBy('order').execute()
  const rows = given.filter(row => offered.includes(row.module_code)).map(row => ({ school_id, role_id: saved.role_id, ...row }))
  if (rows.length > 0) await db.insertInto('role_module').values(rows).execute()
  ctx.note({ target_kind: 'identity.app_role', target_id: saved.role_id, target_name: draft.name, after: { ...draft, modules: rows.map(row => row.module_code) } })
  return saved
}

/** Changes name, group or state; a role that is off reaches nobody. @throws Refusal 404, 409 stale, nameTaken, 422 roleGroupKept */
export async function updateAppRole(ctx: IdentityCtx, { id, row_version, ...changes }: Input<typeof appRoleApi.update>): Promise<Saved> {
  const { db, school_id } = ctx
  return changeAppRole(ctx, { role_id: id, row_version }, async role => {
    await requireMove(db, school_id, role, changes.role_group_id)
    const asked = Object.entries(changes).filter(([, value]) => value !== undefined)
    if (asked.length > 0) await db.updateTable('role').set(changes).where('school_id', '=', school_id).where('role_id', '=', id).execute()
    const had = new Map<string, unknown>(Object.entries(role))
    const other = asked.filter(([name, value]) => had.get(name) !== value)
    ctx.note({ target_kind: 'identity.app_role', target_id: id, target_name: role.name, before: Object.fromEntries(other.map(([name]) => [name, had.get(name)])), after: Object.fromEntries(other) })
    return { role_id: id }
  })
}

/** A role stays with its kind of client, one the school began with also in its group. */
async function requireMove(db: IdentityHandle, school_id: number, role: FoundAppRole, role_group_id: string | undefined): Promise<void> {
  if (role_group_id === undefined || role_group_id === role.role_group_id) return
  const group = await requireAppGroup(db, school_id, role_group_id)
  if (role.is_system || group.client_kind !== role.client_kind) throw fail(identityErrors.roleGroupKept)
}

/** Removes a role of the school's own that reaches nobody. @throws Refusal 404, 409 roleInUse, 422 roleSystem */
export async function removeAppRole(ctx: IdentityCtx, { id }: Input<typeof appRoleApi.remove>): Promise<Record<string, never>> {
  const { db, school_id, now } = ctx
  await changeAppRole(ctx, { role_id: id }, async role => {
    if (role.is_system) throw fail(identityErrors.roleSystem)
    if (await reachesSomebody(ctx, id)) throw fail(identityErrors.roleInUse)
    await db.updateTable('role').set({ removed_at: now, enabled: false }).where('school_id', '=', school_id).where('role_id', '=', id).execute()
    await db.deleteFrom('role_permission').where('school_id', '=', school_id).where('role_id', '=', id).execute()
    await keepPast(db, school_id, [id], now)
    await db.deleteFrom('role_module').where('school_id', '=', school_id).where('role_id', '=', id).execute()
    ctx.note({ target_kind: 'identity.app_role', target_id: id, target_name: role.name, before: { code: role.code, name: role.name } })
    return {}
  })
  return {}
}

async function reachesSomebody({ db, school_id, now }: IdentityCtx, role_id: string): Promise<boolean> {
  const { is_for_all, dept_ids, role_group_ids } = await bindsOf(db, school_id, role_id)
  if (is_for_all || dept_ids.length + role_group_ids.length > 0) return true
  const named = await db
    .selectFrom('role_member')
    .select('role_no')
    .where('school_id', '=', school_id)
    .where('role_id', '=', role_id)
    .where(eb => eb.or([eb('valid_to', 'is', null), eb('valid_to', '>', now)]))
    .limit(1)
    .executeTakeFirst()
  return named !== undefined
}
