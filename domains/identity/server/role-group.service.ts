import { identityErrors } from '@campus/identity/contract'
import type { roleGroupApi } from '@campus/identity/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import type { IdentityCtx } from './db.ts'
import { nextGroup, requireGroup } from './role-group.queries.ts'

type Saved = Reply<typeof roleGroupApi.add>
/** Roles that were removed go here with their group's end. */
const home_group = 'SYS003'

/** Makes a group of console roles, last in the order. */
export async function addGroup({ db, school_id, me, now, note }: IdentityCtx, { name }: Input<typeof roleGroupApi.add>): Promise<Saved> {
  const { code, order } = await nextGroup(db, school_id)
  const saved = await db
    .insertInto('role_group')
    .values({ school_id, code, name, client_kind: 'web', is_system: false, order, created_at: now, created_by: me.user_id, updated_at: now })
    .returning(['role_group_id', 'row_version'])
    .executeTakeFirstOrThrow()
  note({ target_kind: 'identity.role_group', target_id: saved.role_group_id, target_name: name, after: { name } })
  return saved
}

/** Renames a group. @throws Refusal 409 stale, groupNameTaken */
export async function editGroup({ db, school_id, me, now, note }: IdentityCtx, { role_group_id, row_version, name }: Input<typeof roleGroupApi.edit>): Promise<Saved> {
  const group = await requireGroup(db, school_id, role_group_id)
  const saved = await db
    .updateTable('role_group')
    .set({ name, updated_at: now, updated_by: me.user_id, row_version: row_version + 1 })
    .where('school_id', '=', school_id)
    .where('role_group_id', '=', role_group_id)
    .where('row_version', '=', row_version)
    .returning(['role_group_id', 'row_version'])
    .executeTakeFirst()
  if (!saved) throw fail(commonErrors.stale)
  note({ target_kind: 'identity.role_group', target_id: role_group_id, target_name: name, before: { name: group.name }, after: { name } })
  return saved
}

/** Removes a group of the school's own without roles. @throws Refusal 409 groupInUse, 422 groupFixed */
export async function removeGroup({ db, school_id, note }: IdentityCtx, { role_group_id }: Input<typeof roleGroupApi.remove>): Promise<Record<string, never>> {
  const group = await requireGroup(db, school_id, role_group_id)
  if (group.is_system) throw fail(identityErrors.groupFixed)
  const home = await db.selectFrom('role_group').select('role_group_id').where('school_id', '=', school_id).where('code', '=', home_group).executeTakeFirstOrThrow()
  await db
    .updateTable('role')
    .set({ role_group_id: home.role_group_id })
    .where('school_id', '=', school_id)
    .where('role_group_id', '=', role_group_id)
    .where('removed_at', 'is not', null)
    .execute()
  await db.deleteFrom('role_group').where('school_id', '=', school_id).where('role_group_id', '=', role_group_id).execute()
  note({ target_kind: 'identity.role_group', target_id: role_group_id, target_name: group.name, before: { name: group.name } })
  return {}
}

/** Puts all groups of the school into a new order. @throws Refusal 404 for a group it does not have, 409 stale when one is missing */
export async function sortGroups({ db, school_id, me, now, note }: IdentityCtx, { role_group_ids }: Input<typeof roleGroupApi.sort>): Promise<Record<string, never>> {
  const groups = await db.selectFrom('role_group').select(['role_group_id', 'code']).where('school_id', '=', school_id).where('is_app', '=', false).orderBy('role_group_id').forNoKeyUpdate().execute()
  const known = new Set(groups.map(group => group.role_group_id))
  if (role_group_ids.some(role_group_id => !known.has(role_group_id))) throw fail(commonErrors.notFound)
  if (new Set(role_group_ids).size !== known.size || role_group_ids.length !== known.size) throw fail(commonErrors.stale)
  await db
    .updateTable('role_group')
    .set({ order: sql<number>`array_position(${[...role_group_ids]}::bigint[], role_group_id)`, updated_at: now, updated_by: me.user_id })
    .where('school_id', '=', school_id)
    .where('is_app', '=', false)
    .execute()
  note({ target_kind: 'identity.role_group', after: { order: role_group_ids } })
  return {}
}
