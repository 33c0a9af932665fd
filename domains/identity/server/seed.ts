import { timerPort } from '@kit/server/event'
import type { App, NewSchool } from '@kit/server/http'
import type { QueryExecutorProvider } from 'kysely'
import { seedAppRoles } from './app-role/app-role.seed.ts'
import { asIdentity } from './db.ts'
import { giveDefaults } from './default-rights.ts'
import { holdRule } from './installation-rule.ts'
import { planWarning } from './member.ending.ts'
import { defineGroups, defineRole } from './role.queries.ts'
import type { NewGroup } from './role.queries.ts'
import { super_role } from './standing-code.ts'
import { addAdministrator, addAuditor } from './standing-role.ts'

const system_groups: readonly NewGroup[] = [
  { code: 'SYS001', name: '管理与保障人员', client_kind: 'web', is_system: true, order: 1 },
  { code: 'SYS002', name: '中层与部门管理', client_kind: 'web', is_system: true, order: 2 },
  { code: 'SYS003', name: '教职工', client_kind: 'web', is_system: true, order: 3 },
  { code: 'SYS004', name: '学生', client_kind: 'student', is_system: true, order: 4 },
  { code: 'SYS005', name: '家长', client_kind: 'parent', is_system: true, order: 5 },
]

/** Rows every new school begins with: role groups, its administrator's role with every permission, its password rule, the super accounts. */
export async function seedSchool(db: QueryExecutorProvider, school: NewSchool, app: App): Promise<void> {
  const { school_id } = school
  const own = asIdentity(db)
  await defineGroups(db, school_id, system_groups)
  await defineRole(db, school_id, { code: super_role, name: '超级管理员', group_code: 'SYS001', is_system: true })
  await addAdministrator(db, school_id, app)
  await addAuditor(db, school_id, app)
  await seedAppRoles(db, school, app)
  await giveDefaults({ app, db, school_id }, school.school_type)
  // Where nobody keeps timers, the school's first morning is planned when its server starts.
  if (timerPort.all(app).length > 0) await planWarning({ app, db, school_id }, app.clock.now())
  await own.insertInto('password_set').values({ school_id }).onConflict(oc => oc.doNothing()).execute()
  await holdRule(db, school_id, app.config)
  const supers = await own.selectFrom('account').select('user_id').where('super_slot', 'is not', null).execute()
  if (supers.length === 0) return
  const rows = supers.map(({ user_id }) => ({ user_id, school_id }))
  await own.insertInto('account_school').values(rows).onConflict(oc => oc.doNothing()).execute()
}

/** The password rule of the installation, which counts where no school is named. */
export async function installRule(db: QueryExecutorProvider): Promise<void> {
  await asIdentity(db).insertInto('password_set').values({ school_id: 0 }).onConflict(oc => oc.doNothing()).execute()
}
