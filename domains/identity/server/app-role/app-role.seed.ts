import { modulesFor } from '@campus/identity/contract'
import type { AppKind } from '@campus/identity/contract'
import type { App, NewSchool } from '@kit/server/http'
import type { QueryExecutorProvider } from 'kysely'
import { asIdentity } from '../db.ts'
import { setRolePermissions } from '../role.queries.ts'
import { ownCodes } from './app-code.ts'

type Beginning = { code: string; order: number; group: string; role_code: string; role: string }

/** What every school begins with: one group of each kind, and in it the role that reaches everybody. */
export const app_groups: Readonly<Record<AppKind, Beginning>> = {
  teacher: { code: 'APP001', order: 101, group: '教职工通用', role_code: 'APP001_All', role: '全体教职工' },
  parent: { code: 'APP002', order: 102, group: '家长通用', role_code: 'APP002_All', role: '全体家长' },
  student: { code: 'APP003', order: 103, group: '学生通用', role_code: 'APP003_All', role: '全体学生' },
}

/** The app roles of a new school: everybody has every module made for him, and does for himself what the product lets him. */
export async function seedAppRoles(db: QueryExecutorProvider, { school_id, school_type }: NewSchool, app: App): Promise<void> {
  const kinds: readonly AppKind[] = school_type === 2 ? ['teacher'] : ['teacher', 'parent', 'student']
  for (const kind of kinds) await seedAppRole(db, { school_id, school_type }, kind, app)
}

/** The group and the role for everybody of one client. */
export async function seedAppRole(db: QueryExecutorProvider, { school_id, school_type }: Pick<NewSchool, 'school_id' | 'school_type'>, kind: AppKind, app: App): Promise<void> {
  const own = asIdentity(db)
  const word = (text: string) => (school_type === 2 ? text.replace('教职工', '员工') : text)
  const { code, order, group, role_code, role } = app_groups[kind]
  const shared = { school_id, client_kind: kind, is_app: true, is_system: true }
  const { role_group_id } = await own.insertInto('role_group').values({ ...shared, code, order, name: word(group) }).returning('role_group_id').executeTakeFirstOrThrow()
  const { role_id } = await own.insertInto('role').values({ ...shared, role_group_id, code: role_code, name: word(role), allow_login_web: 1 }).returning('role_id').executeTakeFirstOrThrow()
  const modules = modulesFor(kind, school_type).map((module_code, at) => ({ school_id, module_code, order: at + 1 }))
  await own.insertInto('role_group_module').values(modules.map(module => ({ ...module, role_group_id }))).execute()
  await own.insertInto('role_module').values(modules.map(module => ({ ...module, role_id }))).execute()
  await own.insertInto('role_bind').values({ school_id, role_id, bind_kind: 'all', bind_id: '0' }).execute()
  await setRolePermissions(db, app, school_id, role_id, ownCodes(app))
}
