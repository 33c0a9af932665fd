import type { AppKind, AppModuleCode } from '@campus/identity/contract'
import type { App } from '@kit/server/http'
import type { QueryExecutorProvider } from 'kysely'
import { asIdentity, batches } from '../db.ts'
import type { IdentityHandle } from '../db.ts'
import { grantRole, setRolePermissions } from '../role.queries.ts'
import { appCodes } from './app-code.ts'

/** A group of app roles, found by its code. */
export type NewAppGroup = { code: string; name: string; client_kind: AppKind; order: number; modules: readonly AppModuleCode[] }

/** An app role, found by its code: modules in their order, permissions, and whom it reaches. Codes that are not for its client are left out. */
export type NewAppRole = {
  code: string
  name: string
  group_code: string
  client_kind: AppKind
  modules: readonly AppModuleCode[]
  codes: readonly string[]
  is_for_all?: boolean
  dept_ids?: readonly string[]
  role_group_codes?: readonly string[]
  /** whoever holds one of these roles on that day is named one by one */
  holders_of?: readonly string[]
}

/** Makes or renames groups of app roles. */
export async function defineAppGroups(db: QueryExecutorProvider, school_id: number, groups: readonly NewAppGroup[]): Promise<void> {
  const own = asIdentity(db)
  for (const { modules, ...group } of groups) {
    const { role_group_id } = await own
      .insertInto('role_group')
      .values({ school_id, ...group, is_app: true, is_system: false })
      .onConflict(oc => oc.columns(['school_id', 'code']).doUpdateSet({ name: group.name, order: group.order }))
      .returning('role_group_id')
      .executeTakeFirstOrThrow()
    await own.deleteFrom('role_group_module').where('school_id', '=', school_id).where('role_group_id', '=', role_group_id).execute()
    const rows = modules.map((module_code, at) => ({ school_id, role_group_id, module_code, order: at + 1 }))
    if (rows.length > 0) await own.insertInto('role_group_module').values(rows).execute()
  }
}

/**
 * Makes or changes an app role with everything it has; its people are named from `since` on. Answers its role_id.
 * @throws Error when the school has no such group
 */
export async function defineAppRole(db: QueryExecutorProvider, app: App, school_id: number, role: NewAppRole, since: Date): Promise<string> {
  const own = asIdentity(db)
  const { code, name, group_code, client_kind } = role
  const [role_group_id] = await groupIds(own, school_id, [group_code])
  if (role_group_id === undefined) throw new Error(`school ${school_id} has no group of app roles ${group_code}`)
  const { role_id } = await own
    .insertInto('role')
    .values({ school_id, code, name, role_group_id, client_kind, is_app: true, allow_login_web: 1 })
    .onConflict(oc => oc.columns(['school_id', 'code']).doUpdateSet({ name, role_group_id }))
    .returning('role_id')
    .executeTakeFirstOrThrow()
  const known = appCodes(client_kind, app)
  await setRolePermissions(db, app, school_id, role_id, role.codes.filter(one => known.has(one)))
  await own.deleteFrom('role_module').where('school_id', '=', school_id).where('role_id', '=', role_id).execute()
  await own.insertInto('role_module').values(role.modules.map((module_code, at) => ({ school_id, role_id, module_code, order: at + 1 }))).execute()
  await bind(own, school_id, role_id, role)
  const holders = await holdersOf(own, school_id, role.holders_of ?? [], since)
  await grantRole(db, school_id, holders.map(user_id => ({ role_id, user_id, valid_from: since })))
  return role_id
}

async function bind(db: IdentityHandle, school_id: number, role_id: string, { is_for_all = false, dept_ids = [], role_group_codes = [] }: NewAppRole): Promise<void> {
  const groups = await groupIds(db, school_id, role_group_codes)
  await db.deleteFrom('role_bind').where('school_id', '=', school_id).where('role_id', '=', role_id).execute()
  const rows = [
    ...(is_for_all ? [{ bind_kind: 'all', bind_id: '0' }] : []),
    ...dept_ids.map(bind_id => ({ bind_kind: 'dept', bind_id })),
    ...groups.map(bind_id => ({ bind_kind: 'role_group', bind_id })),
  ]
  for (const batch of batches(rows)) await db.insertInto('role_bind').values(batch.map(row => ({ school_id, role_id, ...row }))).execute()
}

async function holdersOf(db: IdentityHandle, school_id: number, codes: readonly string[], on: Date): Promise<string[]> {
  if (codes.length === 0) return []
  const rows = await db
    .selectFrom('role_member as m')
    .innerJoin('role as r', join => join.onRef('r.school_id', '=', 'm.school_id').onRef('r.role_id', '=', 'm.role_id'))
    .select('m.user_id')
    .distinct()
    .where('m.school_id', '=', school_id)
    .where('r.code', 'in', codes)
    .where('m.valid_from', '<=', on)
    .where(eb => eb.or([eb('m.valid_to', 'is', null), eb('m.valid_to', '>', on)]))
    .orderBy('m.user_id')
    .execute()
  return rows.map(row => row.user_id)
}

async function groupIds(db: IdentityHandle, school_id: number, codes: readonly string[]): Promise<string[]> {
  if (codes.length === 0) return []
  const rows = await db.selectFrom('role_group').select('role_group_id').where('school_id', '=', school_id).where('code', 'in', codes).orderBy('role_group_id').execute()
  return rows.map(row => row.role_group_id)
}
