import type { RechargeCard, RechargeRules } from '@campus/people/contract'
import type { Db } from '../db.ts'

/** Rules of a person kind as they stand: approved ones hold, others wait. */
export type NewRecharge = RechargeRules & { person_kind: RechargeCard['person_kind']; version: number; created_by: string; approved_by?: string; at: Date }

/** Makes versions without a word in the log: for schools that are made whole. */
export async function createRecharge(db: Db, school_id: number, versions: readonly NewRecharge[]): Promise<void> {
  for (const { at, approved_by = null, ...rules } of versions) {
    const decided = approved_by === null ? { state: 'pending' } : { state: 'active', approved_by, approved_at: at }
    await db.insertInto('recharge_config').values({ school_id, ...rules, created_at: at, ...decided }).execute()
  }
}
