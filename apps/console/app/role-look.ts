import { roleApi } from '@campus/identity/contract'
import type { SchoolPorts } from '@campus/school/web'
import { call, can } from '@kit/web'

/** Roles for the preview of a menu; fetched with the screen that asks. */
export const roleLook: Pick<SchoolPorts, 'roles' | 'roleCodes'> = {
  roles: async () => (can(roleApi.list) && can(roleApi.preview) ? (await call(roleApi.list, {}, { quiet: true })).list : null),
  roleCodes: async role_id => (await call(roleApi.preview, { role_id }, { quiet: true })).codes,
}
