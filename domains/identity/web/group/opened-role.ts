import type { RoleRow } from '@campus/identity/contract'

/** Which dialog of a role is open. */
export type OpenedRole = { view: 'add' } | { view: 'edit' | 'copy' | 'diff'; role: RoleRow } | null
