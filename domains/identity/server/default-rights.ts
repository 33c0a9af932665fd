import { app_kinds, identityEvents, modulesFor } from '@campus/identity/contract'
import type { AppModuleCode } from '@campus/identity/contract'
import type { SchoolViews } from '@campus/school/server'
import { asTables } from '@kit/server/db'
import { publish } from '@kit/server/event'
import type { App, Boot } from '@kit/server/http'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import { ownCodes } from './app-role/app-code.ts'
import { app_groups, seedAppRole } from './app-role/app-role.seed.ts'
import { asIdentity } from './db.ts'
import type { IdentityHandle } from './db.ts'
import { administratorCodes, auditorCodes } from './duties-apart.ts'
import { forgetSchool } from './gate.ts'
import { withViews } from './permission-matrix.ts'
import { keepPast } from './role.past.ts'
import { auditor_role, school_admin_role } from './standing-code.ts'
import { addAdministrator, addAuditor } from './standing-role.ts'

const enterprise = 2
const closed = 4

type Desk = { app: App; db: QueryExecutorProvider; school_id: number }
/** A role that stands in every school of a kind, with what the product gives it by itself. */
type Standing = { code: string; codes: readonly string[]; modules: readonly AppModuleCode[]; make: () => Promise<void> }
type Role = { role_id: string; role_group_id: string }

/**
 * Gives the standing roles of a school what the product has come to give by default since they were made: new permission codes, new modules, a whole
 * role. What was given once is written down, so that a thing an administrator took away stays away; asked again it does nothing.
 */
export async function giveDefaults({ app, db, school_id }: Desk, school_type: number): Promise<void> {
  for (const standing of standingRoles({ app, db, school_id }, school_type)) await giveOne({ app, db, school_id }, standing)
}

/** The same for every school of the installation that is not closed for good. */
export async function giveAllDefaults({ app, database }: Boot): Promise<void> {
  const schools = await database.tenant<SchoolViews, { school_id: number }[]>(0, db => asTables<SchoolViews>(db).selectFrom('school_state_v').select('school_id').where('state', '!=', closed).orderBy('school_id').execute())
  for (const { school_id } of schools) {
    await database.tenant<SchoolViews, void>(school_id, async db => {
      const school = await db.selectFrom('school_v').select('school_type').where('school_id', '=', school_id).executeTakeFirst()
      if (school) await giveDefaults({ app, db, school_id }, school.school_type)
    })
  }
}

function standingRoles({ app, db, school_id }: Desk, school_type: number): Standing[] {
  const audits = auditorCodes(app)
  const kinds = app_kinds.filter(kind => kind === 'teacher' || school_type !== enterprise)
  return [
    { code: school_admin_role, codes: [...administratorCodes(app)], modules: [], make: () => addAdministrator(db, school_id, app) },
    ...(audits.length > 0 ? [{ code: auditor_role, codes: audits, modules: [], make: () => addAuditor(db, school_id, app) }] : []),
    ...kinds.map(kind => ({ code: app_groups[kind].role_code, codes: ownCodes(app), modules: modulesFor(kind, school_type), make: () => seedAppRole(db, { school_id, school_type: school_type === enterprise ? enterprise : 1 }, kind, app) })),
  ]
}

async function giveOne({ app, db, school_id }: Desk, { code, codes, modules, make }: Standing): Promise<void> {
  const own = asIdentity(db)
  const things = [...codes, ...modules.map(moduleThing)]
  const now = app.clock.now()
  const fresh = await own.insertInto('default_given').values({ school_id, role_code: code, things: [], given_at: now }).onConflict(oc => oc.doNothing()).returning('role_code').executeTakeFirst()
  const line = await own.selectFrom('default_given').select('things').where('school_id', '=', school_id).where('role_code', '=', code).forUpdate().executeTakeFirstOrThrow()
  const role = await roleOfCode(own, school_id, code)
  if (!role) await (fresh ? make() : undefined)
  const known = new Set(role && fresh ? await everHad(own, school_id, role, modules) : role ? line.things : things)
  const missing = things.filter(thing => !known.has(thing))
  if (role) await give({ app, db, school_id }, role, missing)
  if (missing.length > 0 || fresh) await own.updateTable('default_given').set({ things: [...new Set([...known, ...things])].toSorted(), given_at: now }).where('school_id', '=', school_id).where('role_code', '=', code).execute()
}

function moduleThing(code: string): string {
  return `module:${code}`
}

function roleOfCode(db: IdentityHandle, school_id: number, code: string): Promise<Role | undefined> {
  return db.selectFrom('role').select(['role_id', 'role_group_id']).where('school_id', '=', school_id).where('code', '=', code).where('removed_at', 'is', null).executeTakeFirst()
}

/** Of a role made before anything was written down: every code it has or ever had, and all modules, which somebody has put as he wants them. */
async function everHad(db: IdentityHandle, school_id: number, { role_id }: Role, modules: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ code: string }>`
    select code from role_permission where school_id = ${school_id} and role_id = ${role_id}
    union select code from role_permission_span where school_id = ${school_id} and role_id = ${role_id}`.execute(db)
  return [...rows.map(row => row.code), ...modules.map(moduleThing)]
}

async function give({ app, db, school_id }: Desk, { role_id, role_group_id }: Role, missing: readonly string[]): Promise<void> {
  if (missing.length === 0) return
  const own = asIdentity(db)
  const modules = missing.filter(thing => thing.startsWith(moduleThing(''))).map(thing => thing.slice(moduleThing('').length))
  const codes = withViews(missing.filter(thing => app.codes.has(thing)), app.codes)
  await sql`
    insert into role_permission (school_id, role_id, code) select ${school_id}, ${role_id}, c from unnest(${codes}::text[]) c on conflict do nothing`.execute(own)
  await sql`
    insert into role_module (school_id, role_id, module_code, "order")
    select ${school_id}, ${role_id}, m.code, (select coalesce(max("order"), 0) from role_module where school_id = ${school_id} and role_id = ${role_id}) + m.at
    from unnest(${modules}::text[]) with ordinality m(code, at) on conflict do nothing`.execute(own)
  await sql`
    insert into role_group_module (school_id, role_group_id, module_code, "order")
    select ${school_id}, ${role_group_id}, m.code, (select coalesce(max("order"), 0) from role_group_module where school_id = ${school_id} and role_group_id = ${role_group_id}) + m.at
    from unnest(${modules}::text[]) with ordinality m(code, at) on conflict do nothing`.execute(own)
  const now = app.clock.now()
  await keepPast(db, school_id, [role_id], now)
  await own.updateTable('role').set(eb => ({ perm_version: eb('perm_version', '+', 1) })).where('school_id', '=', school_id).where('role_id', '=', role_id).execute()
  await publish({ app, db, school_id, now }, identityEvents.roleChanged, { role_id })
  forgetSchool(app, school_id)
}
