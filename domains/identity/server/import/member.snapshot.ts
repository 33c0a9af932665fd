import { identityErrors } from '@campus/identity/contract'
import { nameKey, numberKey } from '@kit/contract/checks'
import type { ParsedRow } from '@kit/server/excel'
import { nameKeyOf } from '@kit/server/db'
import { sql } from 'kysely'
import type { IdentityStep } from '../db.ts'
import { directory } from '../directory.ts'
import { heldFault, rightsOf } from '../role.rights.ts'
import { super_role } from '../standing-code.ts'
import type { ParsedMember } from './member.parsed.ts'

/** A role of the web; `fault` says why the importer may not give it. */
type KnownRole = { role_id: string; name: string; fault: string | null }
/** A membership that is in force or begins later. */
export type OpenMember = Awaited<ReturnType<typeof openMembers>>[number]

/** What the database holds about a piece of the sheet. */
export type MemberSnapshot = {
  now: Date
  own_role_no: string
  /** by `nameKey` */
  roles: ReadonlyMap<string, readonly KnownRole[]>
  /** by `numberKey` */
  people: ReadonlyMap<string, { user_id: string; user_name: string }>
  /** departments by path, as far as the importer reaches them */
  depts: ReadonlyMap<string, string>
  members: ReadonlyMap<string, readonly OpenMember[]>
}

/** Names memberships of one person under a role and department. */
export function memberKey({ role_id, user_id, user_dep }: { role_id: string; user_id: string; user_dep: string }): string {
  return `${role_id}/${user_id}/${user_dep}`
}

/** Reads everything a piece of the sheet may touch, each kind in one query. */
export async function loadMembers(step: IdentityStep, rows: readonly ParsedRow<ParsedMember>[]): Promise<MemberSnapshot> {
  const known = directory.one(step.app)
  const { users, depts } = await known.covers(step)
  const roles = await knownRoles(step, rows.map(row => row.parsed.role_name))
  const people = await step.db
    .selectFrom('school_user as u')
    .select(['u.user_id', 'u.user_no', 'u.user_name'])
    .where('u.school_id', '=', step.school_id)
    .where('u.left_at', 'is', null)
    .where(sql<boolean>`u.user_no_lower = any(${rows.map(row => numberKey(row.parsed.user_no))}::text[])`)
    .$if(users !== 'all', query => query.where(sql<boolean>`u.user_id in (${users})`))
    .execute()
  const members = await openMembers(step, roles.map(role => role.role_id), people.map(person => person.user_id))
  const paths = rows.some(row => row.parsed.dept_path !== '') ? await known.paths(step.db, step.school_id) : new Map<string, string>()
  return {
    now: step.now,
    own_role_no: step.me.role_no,
    roles: Map.groupBy(roles, role => nameKey(role.name)),
    people: new Map(people.map(person => [numberKey(person.user_no), person])),
    depts: new Map([...paths].filter(([, dept_id]) => depts === 'all' || depts.has(dept_id)).map(([path, dept_id]) => [nameKey(path), dept_id])),
    members: Map.groupBy(members, memberKey),
  }
}

/** Roles of the web by name, and whether the importer may give each of them (chapter 10 R7). */
export async function knownRoles(step: IdentityStep, names: readonly string[]): Promise<KnownRole[]> {
  const rows = await step.db
    .selectFrom('role')
    .select(['role_id', 'name', 'code', 'sync_type'])
    .where('school_id', '=', step.school_id)
    .where('client_kind', '=', 'web')
    .where('is_app', '=', false)
    .where('removed_at', 'is', null)
    .where(sql<boolean>`${nameKeyOf('name')} = any(${[...new Set(names.map(nameKey))]}::text[])`)
    .execute()
  const known: KnownRole[] = []
  for (const { role_id, name, code, sync_type } of rows) {
    const fixed = code === super_role ? identityErrors.roleFixed : sync_type === 1 ? identityErrors.roleSynced : null
    const { codes, scopes } = await rightsOf(step.db, step.school_id, role_id)
    const fault = fixed ?? (await heldFault(step, { codes: [...codes], scopes }))
    known.push({ role_id, name, fault: fault?.msg ?? null })
  }
  return known
}

/** Names of the roles that stand in the template's list: those that can be given at all. */
export async function roleNames({ db, school_id }: Pick<IdentityStep, 'db' | 'school_id'>): Promise<string[]> {
  const rows = await db
    .selectFrom('role')
    .select('name')
    .where('school_id', '=', school_id)
    .where('client_kind', '=', 'web')
    .where('is_app', '=', false)
    .where('removed_at', 'is', null)
    .where('code', '!=', super_role)
    .where('sync_type', '=', 0)
    .orderBy('role_id')
    .execute()
  return [...new Set(rows.map(row => row.name))]
}

function openMembers({ db, school_id, now }: IdentityStep, role_ids: readonly string[], user_ids: readonly string[]) {
  return db
    .selectFrom('role_member')
    .select(['role_no', 'role_id', 'user_id', 'user_dep', 'valid_from', 'valid_to', 'reason', 'row_version'])
    .where('school_id', '=', school_id)
    .where(sql<boolean>`role_id = any(${[...role_ids]}::bigint[])`)
    .where(sql<boolean>`user_id = any(${[...user_ids]}::bigint[])`)
    .where(eb => eb.or([eb('valid_to', 'is', null), eb('valid_to', '>', now)]))
    .orderBy('valid_from')
    .execute()
}
