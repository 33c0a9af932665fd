import { identityErrors, scope_names } from '@campus/identity/contract'
import type { RoleRow, ScopeView } from '@campus/identity/contract'

type Dimension = keyof typeof scope_names

/** A scope in words: 本部门及下级, 指定部门：一年级、二年级. */
export function scopeText(dimension: Dimension, { kind, ids, names }: ScopeView): string {
  const name = kindName(dimension, kind)
  if (kind !== 'custom') return name
  return names.length > 0 ? `${name}：${names.join('、')}` : `${name}（${ids.length}个）`
}

/** Why nothing of a role may be changed by this reader; null when it may. */
export function roleLock(role: Pick<RoleRow, 'is_fixed' | 'is_own' | 'sync_type'>): string | null {
  if (role.is_fixed) return identityErrors.roleFixed.msg
  if (role.is_own) return identityErrors.ownRole.msg
  return role.sync_type === 1 ? identityErrors.roleSynced.msg : null
}

/** Name of a kind; one that does not fit the dimension still has its words. */
export function kindName(dimension: Dimension, kind: ScopeView['kind']): string {
  const words: Readonly<Partial<Record<ScopeView['kind'], string>>> = scope_names[dimension]
  return words[kind] ?? scope_names.dept[kind]
}
