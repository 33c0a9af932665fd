import { asTables } from '@kit/server/db'
import type { App } from '@kit/server/http'
import type { QueryExecutorProvider } from 'kysely'
import type { Db, PeopleDb } from '../db.ts'
import { changeDetails, detailIds, holdBatch, settleBatch } from './batch.queries.ts'
import type { Erased } from './erase-port.ts'
import { addProofs, proofsWait } from './proof.queries.ts'

export type AckDesk = { app: App; db: QueryExecutorProvider; school_id: number; now: Date }

/**
 * A store says that somebody is gone from it: by the person and its own name, or by the `ref` under which it was asked. A second word, or one about
 * somebody it was never asked for, changes nothing. @returns how many proofs were waiting for it
 */
export async function ackErasure({ db: handle, school_id, now }: AckDesk, which: { user_id: string; store: string } | { ref: string }, evidence: string): Promise<number> {
  const db = asTables<PeopleDb>(handle)
  let acked = 0
  for (const { batch_no, user_id, store } of await waiting(db, school_id, which)) {
    await holdBatch(db, school_id, batch_no)
    const { numUpdatedRows } = await db
      .updateTable('user_delete_proof')
      .set({ state: 'acked', acked_at: now, evidence: evidence.slice(0, 200) })
      .where('school_id', '=', school_id)
      .where('batch_no', '=', batch_no)
      .where('user_id', '=', user_id)
      .where('store', '=', store)
      .where('state', '=', 'waiting')
      .executeTakeFirst()
    acked += Number(numUpdatedRows)
    await closePerson(db, school_id, batch_no, user_id, now)
  }
  return acked
}

/**
 * A store that had not been asked turns out to hold somebody who is being deleted or has been (a terminal that was away): it is asked now, and the
 * person is not proved gone until it has answered. @returns whether this is somebody who was deleted
 */
export async function holdsErased({ db: handle, school_id, now }: AckDesk, user_id: string, store: Pick<Erased, 'store' | 'title'>): Promise<boolean> {
  const db = asTables<PeopleDb>(handle)
  const stone = await db.selectFrom('tombstone').select('batch_no').where('school_id', '=', school_id).where('user_id', '=', user_id).executeTakeFirst()
  if (!stone) return false
  const { batch_no } = stone
  if (!(await holdBatch(db, school_id, batch_no))) return true
  await addProofs(db, { school_id, batch_no, user_id, now }, [{ ...store, action: 'deleted', acked: false }])
  await db
    .updateTable('user_delete_proof')
    .set({ state: 'waiting', asked_at: now, acked_at: null, evidence: null })
    .where('school_id', '=', school_id)
    .where('batch_no', '=', batch_no)
    .where('user_id', '=', user_id)
    .where('store', '=', store.store)
    .execute()
  await changeDetails(db, school_id, batch_no, [user_id], { state: 'waiting_proof' })
  await settleBatch(db, school_id, batch_no, now)
  return true
}

function waiting(db: Db, school_id: number, which: { user_id: string; store: string } | { ref: string }) {
  const proofs = db.selectFrom('user_delete_proof').select(['batch_no', 'user_id', 'store']).where('school_id', '=', school_id).where('state', '=', 'waiting')
  const found = 'ref' in which ? proofs.where('ref', '=', which.ref) : proofs.where('user_id', '=', which.user_id).where('store', '=', which.store)
  return found.orderBy('batch_no').orderBy('user_id').execute()
}

/** Whoever waits for no store any more is deleted. */
async function closePerson(db: Db, school_id: number, batch_no: string, user_id: string, now: Date): Promise<void> {
  if (await proofsWait(db, school_id, batch_no, user_id)) return
  const [waiting_for] = await detailIds(db, school_id, batch_no, ['waiting_proof'], [user_id])
  if (waiting_for === undefined) return
  await changeDetails(db, school_id, batch_no, [user_id], { state: 'deleted' })
  await settleBatch(db, school_id, batch_no, now)
}
