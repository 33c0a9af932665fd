import { loginApi } from '@campus/identity/contract'
import { navigationApi, schoolApi } from '@campus/school/contract'
import { checkMenu } from '@kit/contract/checks'
import { call, store, toast } from '@kit/web'
import { landingOf, menuOf, withoutPeriodPages } from '../../login/navigation.ts'
import type { RoleEntry } from '../session/session.ts'

type Entry = Pick<RoleEntry, 'id' | 'code' | 'user_id' | 'user_dep' | 'school_id'>

/**
 * Turns this session into another identity's: new session, the old one ends, navigation, then the whole app reloads at the
 * first dashboard (platform rule R6). `reason`: why a super account enters another school (R9). Throws CallError, already shown unless `quiet`.
 */
export async function switchIdentity(entry: Entry, { reason, quiet = false }: { reason?: string; quiet?: boolean } = {}): Promise<void> {
  const { id, code, user_id, user_dep, school_id } = entry
  const issued = await call(loginApi.token, { role_no: id, code, user_id, user_dep, is_invalidate: '1', school_id, client: 'web', reason }, { quiet })
  store('token', issued.token)
  store('school_id', String(school_id))
  store('user_id', issued.role.user_id)
  store('role_id', issued.role_id)
  store('current_role', issued.role.ac_role_group.code)
  store('dept_is_exact', String(issued.dept_is_exact))
  store('dictionary', null)
  const [config, navigations] = await Promise.all([
    call(schoolApi.config, { id: school_id }),
    call(navigationApi.list, { type: '0', role_id: issued.role_id, app_code: 'app_education_platform' }),
  ])
  const menu = menuOf(withoutPeriodPages(navigations.navs, config.course_period))
  const empty = checkMenu(menu)
  if (empty) toast.warning(empty)
  // Last, because the other tabs reload when they see it change.
  store('role_nos', [issued.role.id])
  window.location.assign(landingOf(menu))
}
