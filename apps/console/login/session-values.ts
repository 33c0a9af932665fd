import { roleGroupsOf } from './login-flow.ts'
import type { StoredSession } from './session-storage.ts'
import type { Dictionaries, Navigations, RoleEntry, RoleGroups, SchoolConfig, SchoolInfo, TokenReply } from './wire.ts'

/** Everything the calls after a login answered; what the console finds when it opens. */
export type SignedIn = {
  account: string
  /** the address names a school, so signing out returns to it */
  has_school_id: boolean
  role_actions: readonly string[]
  /** the usable identities, the chosen one among them */
  identities: readonly RoleEntry[]
  issued: TokenReply
  groups: RoleGroups
  /** null when the browser already holds this version */
  dictionary: Dictionaries | null
  config: SchoolConfig
  school: SchoolInfo
  navs: Navigations['navs']
  perms: Navigations['perms']
  now: number
}

/** The stored texts of a fresh session. `role_nos` begins with the chosen identity; the token stands last. */
export function sessionValues(signed: SignedIn): StoredSession {
  const { issued, config, school, dictionary } = signed
  const chosen = issued.role
  const others = signed.identities.map(entry => entry.id).filter(id => id !== chosen.id)
  return [
    ['logoutTime', String(signed.now)],
    ['isLogin', '0'],
    ['hasSchoolId', signed.has_school_id ? '1' : '0'],
    ['school_id', String(chosen.school_id)],
    ['account', signed.account],
    ['current_role', chosen.ac_role_group.code],
    ['user_id', chosen.user_id],
    ['role_actions', JSON.stringify(signed.role_actions)],
    ['role_nos', JSON.stringify([chosen.id, ...others])],
    ['role_id', issued.role_id],
    ['menu_perms', JSON.stringify(signed.perms.find(group => group.code === 'EduPlatformPerms')?.list ?? [])],
    ['roleGroupList', JSON.stringify(roleGroupList(signed))],
    ['dept_is_exact', String(issued.dept_is_exact)],
    ...(dictionary ? [['dictionary', JSON.stringify(dictionary)] as const] : []),
    ['schoolConfig', JSON.stringify(config)],
    ['nav_menu_data', JSON.stringify(signed.navs)],
    ['school_type', String(school.school_type)],
    ['oss_type', String(config.oss_type)],
    ['oss_region', config.oss_region ?? ''],
    ['oss_bucket', config.oss_bucket ?? ''],
    ['oss_endpoint', config.oss_endpoint ?? ''],
    ['oss_http_prefix', config.oss_http_prefix ?? ''],
    ['token', issued.token],
  ]
}

/** Groups of the chosen identity's school take their id and present name from the school's own list. */
function roleGroupList({ identities, groups, issued }: SignedIn) {
  return roleGroupsOf(identities).map(group => {
    const own = group.school_id === issued.role.school_id ? groups.list.find(row => row.code === group.code) : undefined
    return { ...group, name: own?.name ?? group.name, role_group_id: own?.role_group_id ?? null }
  })
}
