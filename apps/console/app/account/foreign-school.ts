import { isSuperEntry } from '../../login/identity-list.ts'
import type { RoleEntry } from '../session/session.ts'

/** Whether going from one identity to the other means that a super account enters another school, for which a reason is asked (R9). */
export function asksReason(from: Pick<RoleEntry, 'school_id'>, to: Pick<RoleEntry, 'id' | 'school_id'>): boolean {
  return isSuperEntry(to) && from.school_id !== to.school_id
}
