import { defineRole, grantRole, issueAccount, setPermissionsOfRoles, setRoleScope, userOff } from '@campus/identity/server'
import type { NewMember } from '@campus/identity/server'
import { closeDepts, createDepts, hireStaff, renewDepts, setPlates } from '@campus/people/server'
import type { NewDept } from '@campus/people/server'
import type { App } from '@kit/server/http'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { demo_accounts } from './accounts.ts'
import type { DemoAccount, DemoAccountName } from './accounts.ts'
import type { Promotion } from './cohorts.ts'
import type { PlannedDept } from './departments.ts'
import type { PlannedDuty } from './duties.ts'
import { codesOf, dimensions } from './roles.ts'
import type { PlannedRole } from './roles.ts'
import { markVulnerable } from './account-states.ts'
import { startOfDay } from './school-year.ts'
import type { PlannedStaff } from './staff.ts'

type PeopleHandle = Parameters<typeof createDepts>[0]
/** Every third one comes by car. */
const drivers = 3

/**
 * One demo school being filled, in one transaction: `from` = first day of the school year, `past_from` = first day of which anything is
 * known, `today` = the demo day, `now` = when passwords are set.
 */
export type Work = {
  app: App
  db: PeopleHandle
  school_id: number
  school_year: number
  past_from: string
  from: string
  today: string
  now: Date
  /** argon2 hashes by account */
  hashes: ReadonlyMap<string, Promise<string>>
}

/** Key of the plan → id of the database. */
export type Ids = ReadonlyMap<string, string>

/** The handle of the people domain over the transaction of a school. */
export function peopleHandle(db: Kysely<unknown>): PeopleHandle {
  return db.withTables()
}

/** Makes the departments of a plan below the root that every school begins with. */
export async function openDepartments({ db, school_id, past_from }: Work, depts: readonly PlannedDept[]): Promise<Ids> {
  const root = depts.find(dept => dept.parent === null)?.key ?? ''
  const { id } = await db.selectFrom('dept_on_date').select('id').where('school_id', '=', school_id).where('parent_id', 'is', null).executeTakeFirstOrThrow()
  const known = new Map([[root, id]])
  return new Map([...known, ...(await createDepts(db, school_id, rowsOf(depts.filter(dept => dept.parent !== null), known), past_from))])
}

/** Lets a school that has last year's departments go through the promotion. */
export async function promote({ db, school_id, from }: Work, left_on: string, promotion: Promotion, dept_ids: Ids): Promise<Ids> {
  const idsOf = (depts: readonly PlannedDept[]) => depts.map(dept => idOf(dept_ids, dept.key))
  await closeDepts(db, school_id, left_on, idsOf(promotion.graduated))
  await closeDepts(db, school_id, from, idsOf(promotion.continued))
  await renewDepts(db, school_id, from, promotion.renewed.map(({ key, ...renewal }) => ({ dept_id: idOf(dept_ids, key), ...renewal })))
  return new Map([...dept_ids, ...(await createDepts(db, school_id, rowsOf(promotion.opened, dept_ids), from))])
}

/** Departments as they are made: a parent who is there already is named by its id. */
function rowsOf(depts: readonly PlannedDept[], known: Ids): NewDept[] {
  return depts.map(({ staff: _staff, pupils: _pupils, ...dept }) => ({ ...dept, parent: dept.parent === null ? null : (known.get(dept.parent) ?? dept.parent) }))
}

/** Hires the people of a plan with their duties; `beside` names further departments of a person, since this school year. */
export async function hirePlanned(
  work: Work,
  staff: readonly PlannedStaff[],
  duties: readonly PlannedDuty[],
  dept_ids: Ids,
  beside: ReadonlyMap<string, string> = new Map(),
): Promise<Ids> {
  const { app, db, school_id } = work
  const rows = staff.map(person => {
    const { key, dept_key, position, teaches: _teaches, ...facts } = person
    const second = beside.get(key)
    return {
      ...facts,
      from: hiredOn(work, person),
      depts: [{ dept_id: idOf(dept_ids, dept_key), is_primary: true, position }, ...(second ? [{ dept_id: idOf(dept_ids, second), from: work.from }] : [])],
      duties: duties
        .filter(duty => duty.staff_key === key)
        .map(({ staff_key: _staff, dept_key: led, ...duty }) => ({ ...duty, dept_id: idOf(dept_ids, led) })),
    }
  })
  const user_ids = await hireStaff(db, app.secrets, school_id, rows)
  await setPlates(db, { school_id, on: work.from }, new Map(user_ids.flatMap((user_id, at) => (at % drivers === 0 ? [[user_id, [plateOf(at)]] as const] : []))))
  return new Map(staff.map((person, at) => [person.key, user_ids[at] ?? '']))
}

/** A plate of the block that no car has: serials from 00. */
function plateOf(at: number): string {
  return at % (2 * drivers) === 0 ? `鲁B00${String(at).padStart(3, '0')}` : `鲁BD00${String(at).padStart(3, '0')}`
}

/** Since when the school knows somebody as its employee. */
export function hiredOn({ from, past_from, school_year }: Pick<Work, 'from' | 'past_from' | 'school_year'>, { join_month }: PlannedStaff): string {
  return join_month.startsWith(String(school_year)) ? from : past_from
}

/** Makes roles with the permissions that exist and their scopes; answers code → role_id. */
export async function makeRoles({ app, db, school_id }: Work, roles: readonly PlannedRole[]): Promise<Ids> {
  const made = new Map<string, string>()
  for (const { grants: _grants, scope, ...role } of roles) {
    const role_id = await defineRole(db, school_id, role)
    for (const dimension of dimensions) await setRoleScope(db, school_id, role_id, dimension, scope)
    made.set(role.code, role_id)
  }
  await setPermissionsOfRoles(db, app, school_id, new Map(roles.map(({ code, grants }) => [idOf(made, code), codesOf(grants, app.codes)])))
  return made
}

/** Gives roles from the first day of the school year on. */
export async function grantFromStart({ db, school_id, from }: Work, members: readonly Omit<NewMember, 'valid_from'>[]): Promise<void> {
  await grantRole(db, school_id, members.map(member => ({ ...member, valid_from: startOfDay(from) })))
}

/** Gives demo accounts their login, each in the state it is there to show. */
export async function issueDemoAccounts({ db, now, hashes }: Work, holders: readonly (readonly [DemoAccountName, string])[]): Promise<void> {
  for (const [username, user_id] of holders) {
    const { pwd_state = 1, pwd_age_days = 0, vuln_reason } = accountOf(username)
    const pwd_set_at = new Date(now.getTime() - pwd_age_days * 86_400_000)
    await issueAccount(db, { user_id, username, password_hash: (await hashes.get(username)) ?? '', pwd_state, pwd_set_at })
    if (vuln_reason !== undefined) await markVulnerable(db, user_id, vuln_reason)
  }
}

/** Shuts the school to people who have left it, from the day on which each was gone. */
export async function closeAccounts({ app, db, school_id, today }: Work, left: readonly { user_id: string; on: string }[]): Promise<void> {
  await userOff({ app, db, school_id, now: startOfDay(today) }, left.map(({ user_id }) => user_id))
  const people = JSON.stringify(left.map(({ user_id, on }) => ({ user_id, left_at: startOfDay(on).toISOString() })))
  for (const table of ['school_user', 'account_school'] as const) {
    await sql`
      update ${sql.table(table)} t set left_at = x.left_at from jsonb_to_recordset(${people}::jsonb) x(user_id bigint, left_at timestamptz)
      where t.school_id = ${school_id} and t.user_id = x.user_id`.execute(db)
  }
}

/** The id behind a key; a plan that names nobody is a mistake of the program. */
export function idOf(ids: Ids, key: string): string {
  const id = ids.get(key)
  if (!id) throw new Error(`the plan names ${key || 'nobody'}, who does not exist`)
  return id
}

function accountOf(username: DemoAccountName): DemoAccount {
  return demo_accounts.find(known => known.account === username) ?? { account: username, note: '' }
}
