import type { RoleEntry } from '@campus/identity/contract'
import { usable } from '@kit/contract/checks'
import type { LoginEntry, RoleClient } from '@kit/contract/checks'
import { sql } from 'kysely'
import { batches } from './db.ts'
import type { Desk, IdentityHandle } from './db.ts'
import { directory } from './directory.ts'
import type { PasswordRule } from './password-rule/rule.ts'
import { readRule } from './password-set.queries.ts'
import { super_role } from './standing-code.ts'

/** Who is looked for; a super account has a synthetic identity in each of its schools. */
export type Holder = { user_id: string; username: string | null; super_slot: number | null }
export type Card = { user_no: string; user_name: string; user_photo: string | null }

/** An identity with the flags that `usable` reads and the name of its holder there; they never leave the server. */
export type ListedRole = RoleEntry & { disabled: boolean; suspended: boolean; role_id: string; user_name: string }

/** What one school knows of a person. */
export type SchoolOfPerson = { school_id: number; school_type: number; rule: PasswordRule; card: Card | null; roles: ListedRole[] }

const active = 2
const parallel_schools = 8

/** What each school of a person knows, school by school in short transactions of their own. */
export async function openSchools(desk: Desk, holder: Holder, school_ids: readonly number[]): Promise<SchoolOfPerson[]> {
  const found: SchoolOfPerson[] = []
  for (const batch of batches(school_ids, parallel_schools)) {
    found.push(...(await Promise.all(batch.map(school_id => desk.own(school_id, db => openSchool(desk, db, school_id, holder))))))
  }
  return found
}

/** What one school knows of a person: rule, display copy, current identities. */
export async function openSchool(desk: Pick<Desk, 'app' | 'now'>, db: IdentityHandle, school_id: number, holder: Holder): Promise<SchoolOfPerson> {
  const card = await db
    .selectFrom('school_user')
    .select(['user_no', 'user_name', 'user_photo'])
    .where('school_id', '=', school_id)
    .where('user_id', '=', holder.user_id)
    .executeTakeFirst()
  const rows = await findRoles(db, school_id, holder.user_id, desk.now)
  const supers = holder.super_slot === null ? [] : await findSuperRole(db, school_id, holder)
  const names = await deptNames(desk, db, school_id, rows.map(row => row.user_dep))
  const user_name = card?.user_name ?? holder.username ?? ''
  const roles = [...supers, ...rows].map((row): ListedRole => {
    const { group_code, group_name, state, enabled, acted_for_name, ...rest } = row
    // 班主任（代王老师）: who stands in for somebody chooses by that.
    const entry = acted_for_name === null ? rest : { ...rest, name: `${rest.name}（代${acted_for_name}）` }
    const ac_role_group = { code: group_code, name: group_name }
    return { ...entry, user_name, user_dep_name: names.get(row.user_dep) ?? null, ac_role_group, disabled: !enabled, suspended: state !== active }
  })
  return { school_id, school_type: roles[0]?.school_type ?? 1, rule: await readRule(db, school_id), card: card ?? null, roles }
}

/** The identities a person may use at an address (chapter 10 R1), flags taken off. */
export function usableRoles(schools: readonly SchoolOfPerson[], entry: LoginEntry, client: RoleClient = 'web'): RoleEntry[] {
  return usable(schools.flatMap(school => school.roles), entry, client).map(withoutFlags)
}

/** An identity as it may travel. */
export function withoutFlags({ disabled: _disabled, suspended: _suspended, role_id: _role_id, user_name: _user_name, ...entry }: ListedRole): RoleEntry {
  return entry
}

function roleFacts(db: IdentityHandle, school_id: number) {
  return db
    .selectFrom('role as r')
    .innerJoin('role_group as g', join => join.onRef('g.school_id', '=', 'r.school_id').onRef('g.role_group_id', '=', 'r.role_group_id'))
    .innerJoin('school_v as o', 'o.school_id', 'r.school_id')
    .where('r.school_id', '=', school_id)
    .where('r.is_app', '=', false)
    .select(['r.role_id', 'r.code', 'r.name', 'r.sync_type', 'r.dept_is_exact', 'r.allow_login_web', 'r.allow_login_web_text', 'r.enabled'])
    .select(['g.code as group_code', 'g.name as group_name', 'o.school_id', 'o.school_name', 'o.school_type', 'o.school_logo', 'o.course_type', 'o.state'])
}

function findRoles(db: IdentityHandle, school_id: number, user_id: string, now: Date) {
  return roleFacts(db, school_id)
    .innerJoin('role_member as m', join => join.onRef('m.school_id', '=', 'r.school_id').onRef('m.role_id', '=', 'r.role_id'))
    .innerJoin('school_user as u', join => join.onRef('u.school_id', '=', 'm.school_id').onRef('u.user_id', '=', 'm.user_id'))
    .where('m.school_id', '=', school_id)
    .where('m.user_id', '=', user_id)
    .where('m.valid_from', '<=', now)
    .where(eb => eb.or([eb('m.valid_to', 'is', null), eb('m.valid_to', '>', now)]))
    .where('u.left_at', 'is', null)
    .leftJoin('school_user as w', join => join.onRef('w.school_id', '=', 'm.school_id').onRef('w.user_id', '=', 'm.acted_for'))
    .select(['m.role_no as id', 'm.user_id', 'm.user_dep', 'u.user_no', 'w.user_name as acted_for_name'])
    .orderBy('g.order')
    .orderBy('m.role_no')
    .execute()
}

function findSuperRole(db: IdentityHandle, school_id: number, holder: Holder) {
  const { user_id } = holder
  return roleFacts(db, school_id)
    .where('r.code', '=', super_role)
    .select([sql<string>`${`-${school_id}`}::text`.as('id'), sql<string>`${user_id}::text`.as('user_id')])
    .select([sql<string>`'1'`.as('user_dep'), sql<string>`${holder.username ?? ''}::text`.as('user_no')])
    .select(sql<string | null>`null`.as('acted_for_name'))
    .execute()
}

async function deptNames(desk: Pick<Desk, 'app'>, db: IdentityHandle, school_id: number, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const [known] = directory.all(desk.app)
  const asked = [...new Set(ids)].filter(dept_id => dept_id !== '1')
  return known && asked.length > 0 ? known.labels(db, school_id, asked) : new Map()
}
