import { platform_codes } from '@campus/identity/contract'
import { commonErrors, fail } from '@kit/contract'
import { insertMany } from '@kit/server/db'
import type { App } from '@kit/server/http'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import { asIdentity } from './db.ts'
import { withViews } from './permission-matrix.ts'
import { keepPast } from './role.past.ts'

export type ClientKind = 'web' | 'teacher' | 'parent' | 'student'
export type ScopeKind = 'all' | 'own' | 'own_below' | 'class_teacher' | 'teaching' | 'custom' | 'self' | 'none'
export type Dimension = 'dept' | 'place'

/** A role of a school. `group_code` names its role group; `allow_login_web` 1 = NOT allowed on the web client. */
export type NewRole = {
  code: string
  name: string
  group_code: string
  is_system?: boolean
  enabled?: boolean
  allow_login_web?: 0 | 1
  allow_login_web_text?: string | null
  dept_is_exact?: 0 | 1
}

/** A dated membership. `valid_to` is exclusive, null = open; `user_dep` '1' = the person's own department. */
export type NewMember = {
  role_id: string
  user_id: string
  user_dep?: string
  valid_from: Date
  valid_to?: Date | null
  source?: 'manual' | 'import' | 'rule' | 'sync'
  scope_ids?: readonly string[] | null
  reason?: string
}

export type NewGroup = { code: string; name: string; client_kind: ClientKind; is_system: boolean; order: number }

/** Makes or renames role groups of a school. */
export async function defineGroups(db: QueryExecutorProvider, school_id: number, groups: readonly NewGroup[]): Promise<void> {
  await asIdentity(db)
    .insertInto('role_group')
    .values(groups.map(group => ({ school_id, ...group })))
    .onConflict(oc => oc.columns(['school_id', 'code']).doUpdateSet(eb => ({ name: eb.ref('excluded.name'), order: eb.ref('excluded.order') })))
    .execute()
}

/**
 * Makes or changes the role of a code; answers its role_id.
 * @throws Error when the school has no such role group
 */
export async function defineRole(db: QueryExecutorProvider, school_id: number, role: NewRole): Promise<string> {
  const own = asIdentity(db)
  const { group_code, ...facts } = role
  const group = await own
    .selectFrom('role_group')
    .select(['role_group_id', 'client_kind'])
    .where('school_id', '=', school_id)
    .where('code', '=', group_code)
    .executeTakeFirst()
  if (!group) throw new Error(`school ${school_id} has no role group ${group_code}`)
  const { code: _code, ...changeable } = facts
  const { role_id } = await own
    .insertInto('role')
    .values({ school_id, ...facts, ...group })
    .onConflict(oc => oc.columns(['school_id', 'code']).doUpdateSet({ ...changeable, ...group }))
    .returning('role_id')
    .executeTakeFirstOrThrow()
  return role_id
}

/**
 * Replaces the permissions of a role. Seeing is part of doing: every other verb of a noun brings `noun.view` along where that code exists. Codes of the platform are left out.
 * @throws Refusal 400 for a code the product does not know
 */
export function setRolePermissions(db: QueryExecutorProvider, app: App, school_id: number, role_id: string, codes: readonly string[]): Promise<void> {
  return setPermissionsOfRoles(db, app, school_id, new Map([[role_id, codes]]))
}

/** The same for many roles at once. @throws Refusal likewise */
export async function setPermissionsOfRoles(db: QueryExecutorProvider, app: App, school_id: number, codes_of: ReadonlyMap<string, readonly string[]>): Promise<void> {
  const known = app.codes
  if ([...codes_of.values()].flat().some(code => !known.has(code))) throw fail(commonErrors.malformed)
  const role_ids = [...codes_of.keys()]
  const is_one = sql<boolean>`role_id = any(${role_ids}::bigint[])`
  const own = asIdentity(db)
  await own.deleteFrom('role_permission').where('school_id', '=', school_id).where(is_one).execute()
  await insertMany(db, 'role_permission', [...codes_of].flatMap(([role_id, codes]) => withViews(codes, known).filter(code => !platform_codes.has(code)).map(code => ({ school_id, role_id, code }))))
  await keepPast(db, school_id, role_ids, app.clock.now())
  await own.updateTable('role').set(eb => ({ perm_version: eb('perm_version', '+', 1) })).where('school_id', '=', school_id).where(is_one).execute()
}

/** Says over which rows a role works in one dimension; ids belong to kind `custom` and to no other. */
export async function setRoleScope(
  db: QueryExecutorProvider,
  school_id: number,
  role_id: string,
  dimension: Dimension,
  ...[kind, ids = []]: [kind: ScopeKind, ids?: readonly string[]]
): Promise<void> {
  const row = { kind, ids: [...ids] }
  await asIdentity(db)
    .insertInto('role_scope')
    .values({ school_id, role_id, dimension, ...row })
    .onConflict(oc => oc.columns(['school_id', 'role_id', 'dimension']).doUpdateSet(row))
    .execute()
}

/**
 * Gives roles to people; answers the role_no of each in the order given.
 * @throws exclusion violation `role_member_overlap` when somebody holds the role under that department already
 */
export async function grantRole(db: QueryExecutorProvider, school_id: number, members: readonly NewMember[], by?: string): Promise<string[]> {
  const { rows: numbers } = await sql<{ role_no: string }>`select nextval('role_member_role_no_seq') as role_no from generate_series(1, ${members.length}::int)`.execute(db)
  const rows = members.map(({ source = 'manual', scope_ids, ...member }, at) => ({
    school_id,
    role_no: numbers[at]?.role_no,
    ...member,
    source,
    scope_ids: scope_ids ? [...scope_ids] : null,
    created_by: by,
  }))
  await insertMany(db, 'role_member', rows)
  return numbers.map(({ role_no }) => role_no)
}
