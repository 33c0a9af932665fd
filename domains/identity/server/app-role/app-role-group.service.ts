import { identityErrors, isAppModule } from '@campus/identity/contract'
import type { appRoleGroupApi, AppRoleGroupRow } from '@campus/identity/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { IdentityCtx } from '../db.ts'
import { lockGroups, nextGroup } from '../role-group.queries.ts'
import { kindOf, requireAppGroup, requireKind } from './app-role.access.ts'
import { app_groups } from './app-role.seed.ts'
import { offeredModules } from './licensed-modules.ts'

type Saved = Reply<typeof appRoleGroupApi.create>

/** Groups of a kind in their order, with their roles and the modules a new role of each begins with. @throws Refusal 404 for a kind the school does not have */
export async function listAppGroups(ctx: IdentityCtx, { client_kind }: Input<typeof appRoleGroupApi.list>): Promise<Reply<typeof appRoleGroupApi.list>> {
  await requireKind(ctx, client_kind)
  const { db, school_id } = ctx
  const rows = await db
    .selectFrom('role_group as g')
    .select(['g.role_group_id', 'g.code', 'g.name', 'g.client_kind', 'g.is_system', 'g.order', 'g.row_version'])
    .select(eb => [
      jsonArrayFrom(
        eb.selectFrom('role as r').select([sql<string>`r.role_id::text`.as('role_id'), 'r.name', 'r.enabled']).where('r.school_id', '=', school_id).whereRef('r.role_group_id', '=', 'g.role_group_id').where('r.removed_at', 'is', null).orderBy('r.is_system', 'desc').orderBy('r.role_id'),
      ).as('roles'),
      jsonArrayFrom(eb.selectFrom('role_group_module as d').select('d.module_code').where('d.school_id', '=', school_id).whereRef('d.role_group_id', '=', 'g.role_group_id').orderBy('d.order')).as('begins_with'),
    ])
    .where('g.school_id', '=', school_id)
    .where('g.is_app', '=', true)
    .where('g.client_kind', '=', client_kind)
    .orderBy('g.order')
    .orderBy('g.role_group_id')
    .execute()
  const list = rows.map(({ begins_with, ...row }): AppRoleGroupRow => {
    return { ...row, client_kind: kindOf(row.client_kind), modules: begins_with.map(one => one.module_code).filter(isAppModule) }
  })
  return { list, offered: await offeredModules(ctx, client_kind) }
}

/** Makes a group, last of its kind. @throws Refusal 404, 409 groupNameTaken */
export async function createAppGroup(ctx: IdentityCtx, { client_kind, name, modules }: Input<typeof appRoleGroupApi.create>): Promise<Saved> {
  await requireKind(ctx, client_kind)
  const { db, school_id, me, now } = ctx
  const { code, order } = await nextGroup(db, school_id)
  const saved = await db
    .insertInto('role_group')
    .values({ school_id, code, name, client_kind, is_app: true, is_system: false, order, created_at: now, created_by: me.user_id, updated_at: now })
    .returning(['role_group_id', 'row_version'])
    .executeTakeFirstOrThrow()
  await writeModules(ctx, saved.role_group_id, client_kind, modules)
  ctx.note({ target_kind: 'identity.app_role_group', target_id: saved.role_group_id, target_name: name, after: { name, modules } })
  return saved
}

/** Renames a group or changes what its new roles begin with; roles that are there stay as they are. @throws Refusal 404, 409 stale, groupNameTaken, 422 appModuleRefused */
export async function updateAppGroup(ctx: IdentityCtx, { id, row_version, name, modules }: Input<typeof appRoleGroupApi.update>): Promise<Saved> {
  const { db, school_id, me, now } = ctx
  const group = await requireAppGroup(db, school_id, id)
  const saved = await db
    .updateTable('role_group')
    .set({ ...(name === undefined ? {} : { name }), updated_at: now, updated_by: me.user_id, row_version: row_version + 1 })
    .where('school_id', '=', school_id)
    .where('role_group_id', '=', id)
    .where('row_version', '=', row_version)
    .returning(['role_group_id', 'row_version'])
    .executeTakeFirst()
  if (!saved) throw fail(commonErrors.stale)
  if (modules !== undefined) await writeModules(ctx, id, group.client_kind, modules)
  ctx.note({ target_kind: 'identity.app_role_group', target_id: id, target_name: name ?? group.name, before: { name: group.name }, after: { name: name ?? group.name, ...(modules ? { modules } : {}) } })
  return saved
}

async function writeModules(ctx: IdentityCtx, role_group_id: string, kind: AppRoleGroupRow['client_kind'], modules: AppRoleGroupRow['modules']): Promise<void> {
  const { db, school_id } = ctx
  const offered = await offeredModules(ctx, kind)
  if (modules.some(code => !offered.includes(code))) throw fail(identityErrors.appModuleRefused)
  await db.deleteFrom('role_group_module').where('school_id', '=', school_id).where('role_group_id', '=', role_group_id).execute()
  const rows = modules.map((module_code, at) => ({ school_id, role_group_id, module_code, order: at + 1 }))
  if (rows.length > 0) await db.insertInto('role_group_module').values(rows).execute()
}

/** Removes a group of the school's own without roles. @throws Refusal 404, 409 groupInUse, 422 groupFixed */
export async function removeAppGroup(ctx: IdentityCtx, { id }: Input<typeof appRoleGroupApi.remove>): Promise<Record<string, never>> {
  const { db, school_id } = ctx
  const group = await requireAppGroup(db, school_id, id)
  if (group.is_system) throw fail(identityErrors.groupFixed)
  const home = await db.selectFrom('role_group').select('role_group_id').where('school_id', '=', school_id).where('code', '=', app_groups[group.client_kind].code).executeTakeFirstOrThrow()
  // Roles that were removed are kept for the people they had, and move on.
  await db.updateTable('role').set({ role_group_id: home.role_group_id }).where('school_id', '=', school_id).where('role_group_id', '=', id).where('removed_at', 'is not', null).execute()
  await db.deleteFrom('role_group').where('school_id', '=', school_id).where('role_group_id', '=', id).execute()
  ctx.note({ target_kind: 'identity.app_role_group', target_id: id, target_name: group.name, before: { name: group.name } })
  return {}
}

/** Puts all groups of a kind into a new order. @throws Refusal 404 for a group the school does not have, 409 stale when one is missing */
export async function sortAppGroups(ctx: IdentityCtx, { client_kind, role_group_ids }: Input<typeof appRoleGroupApi.sort>): Promise<Record<string, never>> {
  const { db, school_id, me, now } = ctx
  const groups = (await lockGroups(db, school_id)).filter(group => group.is_app && group.client_kind === client_kind)
  const known = new Set(groups.map(group => group.role_group_id))
  if (role_group_ids.some(role_group_id => !known.has(role_group_id))) throw fail(commonErrors.notFound)
  if (new Set(role_group_ids).size !== known.size || role_group_ids.length !== known.size) throw fail(commonErrors.stale)
  await db
    .updateTable('role_group')
    .set({ order: sql<number>`array_position(${role_group_ids}::bigint[], role_group_id)`, updated_at: now, updated_by: me.user_id })
    .where('school_id', '=', school_id)
    .where('is_app', '=', true)
    .where('client_kind', '=', client_kind)
    .execute()
  ctx.note({ target_kind: 'identity.app_role_group', after: { order: role_group_ids } })
  return {}
}
