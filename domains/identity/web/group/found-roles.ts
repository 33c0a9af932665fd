import type { RoleRow } from '@campus/identity/contract'
import type { RoleGroup } from '../use-roles.ts'

/** Groups with the roles to show of each. */
export type FoundRoles = { groups: { group: RoleGroup; roles: RoleRow[] }[] }

/** One search over both: a group whose name or code holds the text is shown whole, of the others the roles that hold it. */
export function foundRoles(groups: readonly RoleGroup[], roles: readonly RoleRow[], keyword: string): FoundRoles {
  const word = keyword.trim().toLowerCase()
  const holds = ({ name, code }: { name: string; code: string }) => name.toLowerCase().includes(word) || code.toLowerCase().includes(word)
  const all = groups.map(group => {
    const own = roles.filter(role => role.role_group_id === group.role_group_id)
    return { group, roles: word === '' || holds(group) ? own : own.filter(holds) }
  })
  return { groups: word === '' ? all : all.filter(found => found.roles.length > 0 || holds(found.group)) }
}

/** The found roles of one group, or of all. */
export function rolesOf(found: FoundRoles, role_group_id: string | undefined): RoleRow[] {
  return found.groups.filter(({ group }) => role_group_id === undefined || group.role_group_id === role_group_id).flatMap(({ roles }) => roles)
}
