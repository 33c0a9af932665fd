import { sql } from 'kysely'
import { insertRows } from '../bulk.ts'
import { oneOf } from '../dated.ts'
import type { Db } from '../db.ts'
import type { Erased } from './erase-port.ts'

type Place = { school_id: number; batch_no: string; user_id: string; now: Date }

/** Writes what became of somebody in each store; a store that was asked before keeps its line. */
export async function addProofs(db: Db, { school_id, batch_no, user_id, now }: Place, erased: readonly Erased[]): Promise<void> {
  const known = await db.selectFrom('user_delete_proof').select('store').where('school_id', '=', school_id).where('batch_no', '=', batch_no).where('user_id', '=', user_id).execute()
  const fresh = erased.filter(({ store }) => !known.some(row => row.store === store))
  await insertRows(db, 'user_delete_proof', fresh.map(one => ({
    school_id, batch_no, user_id, store: one.store, title: one.title, action: one.action, asked_at: now, ref: one.ref ?? null,
    basis: one.action === 'kept' ? one.basis : null,
    state: one.acked ? 'acked' : 'waiting',
    acked_at: one.acked ? now : null,
    evidence: one.acked ? one.evidence : null,
  })))
}

/** Is there a store that has not confirmed yet? */
export async function proofsWait(db: Db, school_id: number, batch_no: string, user_id: string): Promise<boolean> {
  const row = await db.selectFrom('user_delete_proof').select('store').where('school_id', '=', school_id).where('batch_no', '=', batch_no).where('user_id', '=', user_id).where('state', '=', 'waiting').limit(1).executeTakeFirst()
  return row !== undefined
}

/** Proofs of these people of a batch, in the order in which the stores were asked. */
export function proofsOf(db: Db, school_id: number, batch_no: string, user_ids: readonly string[]) {
  return db
    .selectFrom('user_delete_proof')
    .selectAll()
    .where('school_id', '=', school_id)
    .where('batch_no', '=', batch_no)
    .where(oneOf('user_id', user_ids))
    .orderBy('user_id')
    .orderBy('asked_at')
    .orderBy(sql`array_position(array['object', 'terminal', 'db', 'account', 'backup'], split_part(store, ':', 1))`)
    .orderBy('store')
    .execute()
}
export type ProofRow = Awaited<ReturnType<typeof proofsOf>>[number]
