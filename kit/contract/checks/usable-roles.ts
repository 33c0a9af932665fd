import type { Verdict } from './verdict.ts'

const ENTERPRISE = 2
const PARENT_GROUP = 'SYS003'
const APP_GROUPS: readonly string[] = ['SYS004', 'SYS005']
const EXPRESSMAN = 'SYS001_Expressman'

/** Which client signs in: the console, or the phone entry of the sub-applications. */
export type RoleClient = 'web' | 'mini'

/** One identity of an account, as `role_list` carries it (platform chapter §4, Shapes). */
export interface RoleEntry {
  /** role_no of the membership; a super account's synthetic entries carry `-school_id`. */
  id: string
  code: string
  name: string
  user_id: string
  user_no: string
  /** Department under which the role is held; '1' = the person's own. */
  user_dep: string
  school_id: number
  school_name: string
  /** 1 school, 2 enterprise. */
  school_type: number
  school_logo: string | null
  course_type: number
  sync_type: number
  dept_is_exact: number
  /** Truthy = NOT allowed on this client. */
  allow_login_web: number
  allow_login_web_text: string | null
  ac_role_group: { code: string; name: string }
}

/** What the rule reads of an entry. The flags never travel: the server sets them on rows of its own before it answers. */
export interface RoleRuleEntry
  extends Pick<RoleEntry, 'code' | 'school_id' | 'school_type' | 'allow_login_web'> {
  ac_role_group: { code: string }
  ended?: boolean
  disabled?: boolean
  suspended?: boolean
}

/** The school that the address names, and its type; both absent at the root. */
export interface LoginEntry {
  school_id?: number
  school_type?: number
}

/** What follows a right password: nothing usable, straight on with one identity, or the identity dialog. */
export type RoleStep<T> =
  | { kind: 'none'; msg: string }
  | { kind: 'one'; entry: T }
  | { kind: 'choose'; list: T[]; preselected: T | null }

/**
 * The identities an account may use here (platform rule R1), in the order given. Ended, disabled and suspended ones go.
 * web: role groups SYS004 and SYS005, couriers and enterprises go, but at an enterprise's own address
 * exactly its entries stay; entries blocked for web stay, to be shown greyed. mini: only blocked ones go, and not those of groups
 * SYS003 to SYS005 or couriers (sub-application rule M11).
 */
export function usable<T extends RoleRuleEntry>(role_list: readonly T[], entry: LoginEntry, client: RoleClient): T[] {
  const live = role_list.filter((role) => !role.ended && !role.disabled && !role.suspended)
  return client === 'mini' ? live.filter(usableOnPhone) : live.filter((role) => usableOnWeb(role, entry))
}

/** What to do with the usable identities (platform rule R2): at a school's address its entries come first. */
export function roleStep<T extends RoleRuleEntry>(usable_list: readonly T[], entry: LoginEntry): RoleStep<T> {
  const msg = checkUsableRoles(usable_list)
  if (msg) return { kind: 'none', msg }
  const [first, second] = usable_list
  if (first && !second) return { kind: 'one', entry: first }
  const here = usable_list.filter((role) => role.school_id === entry.school_id)
  const elsewhere = usable_list.filter((role) => role.school_id !== entry.school_id)
  return { kind: 'choose', list: [...here, ...elsewhere], preselected: here.length === 1 ? here[0] ?? null : null }
}

/** An account without any usable identity may not sign in (platform rules L9, R2). */
export function checkUsableRoles(usable_list: readonly unknown[]): Verdict {
  return usable_list.length > 0 ? null : '此账号无登录权限'
}

/** Confirm button of the identity dialog: an entry is chosen, and it is allowed on this client (platform rules L10, R2). */
export function checkRoleChoice(
  chosen: Pick<RoleEntry, 'allow_login_web' | 'allow_login_web_text'> | null | undefined,
): Verdict {
  if (!chosen) return '请选择角色'
  if (!chosen.allow_login_web) return null
  return chosen.allow_login_web_text || '您无法在当前客户端登陆，请联系管理人员。'
}

/** An identity whose navigation is empty stays on the login page (platform rule N4). */
export function checkMenu(nav_list: readonly unknown[]): Verdict {
  return nav_list.length > 0 ? null : '未配置功能模块'
}

function usableOnWeb(role: RoleRuleEntry, entry: LoginEntry): boolean {
  if (APP_GROUPS.includes(role.ac_role_group.code) || role.code === EXPRESSMAN) return false
  if (entry.school_type === ENTERPRISE && entry.school_id !== undefined) return role.school_id === entry.school_id
  return role.school_type !== ENTERPRISE
}

function usableOnPhone(role: RoleRuleEntry): boolean {
  const group = role.ac_role_group.code
  return !role.allow_login_web || group === PARENT_GROUP || APP_GROUPS.includes(group) || role.code === EXPRESSMAN
}
