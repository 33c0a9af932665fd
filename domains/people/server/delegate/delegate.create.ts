import type { Db } from '../db.ts'
import { declareDelegations } from './delegate.declare.ts'

/** A delegation between two instants; `to_user_id` acts for `from_user_id`. */
export type NewDelegation = { dept_id: string; from_user_id: string; to_user_id: string; valid_from: Date; valid_to: Date; reason?: string }

/** Makes delegations without a word in the journal: for schools that are made whole. */
export async function createDelegations(db: Db, school_id: number, delegations: readonly NewDelegation[]): Promise<void> {
  if (delegations.length === 0) return
  await db.insertInto('delegate_dept').values(delegations.map(one => ({ school_id, created_at: one.valid_from, created_by: one.from_user_id, ...one }))).execute()
  await declareDelegations(db, school_id, delegations.map(one => one.to_user_id))
}
