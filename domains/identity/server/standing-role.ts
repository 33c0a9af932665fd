import type { App } from '@kit/server/http'
import type { QueryExecutorProvider } from 'kysely'
import { administratorCodes, auditorCodes } from './duties-apart.ts'
import { defineRole, setRolePermissions, setRoleScope } from './role.queries.ts'
import { auditor_role, school_admin_role } from './standing-code.ts'

/** The administrator of a school: everything, everywhere. */
export async function addAdministrator(db: QueryExecutorProvider, school_id: number, app: App): Promise<void> {
  await stand(db, school_id, app, { code: school_admin_role, name: '校管理员', codes: [...administratorCodes(app)] })
}

/** Where duties are apart the journals need somebody else to read them. */
export async function addAuditor(db: QueryExecutorProvider, school_id: number, app: App): Promise<void> {
  const codes = auditorCodes(app)
  if (codes.length > 0) await stand(db, school_id, app, { code: auditor_role, name: '审计管理员', codes })
}

async function stand(db: QueryExecutorProvider, school_id: number, app: App, { codes, ...role }: { code: string; name: string; codes: readonly string[] }): Promise<void> {
  const role_id = await defineRole(db, school_id, { ...role, group_code: 'SYS001', is_system: true })
  await setRolePermissions(db, app, school_id, role_id, codes)
  await setRoleScope(db, school_id, role_id, 'dept', 'all')
  await setRoleScope(db, school_id, role_id, 'place', 'all')
}
