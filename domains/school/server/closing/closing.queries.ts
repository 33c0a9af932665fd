import type { ReceiptEffect, SchoolReceipt } from '@campus/school/contract'
import { asTables } from '@kit/server/db'
import type { QueryExecutorProvider } from 'kysely'
import type { SchoolDb } from '../db.ts'

const ours = (db: QueryExecutorProvider) => asTables<SchoolDb>(db)
type Told = { effect: ReceiptEffect; target: string; state: SchoolReceipt['state']; at: Date }

/** Says what has become of one effect; an earlier word about it goes. */
export async function tellReceipt(db: QueryExecutorProvider, school_id: number, told: Told): Promise<void> {
  const { effect: _effect, ...facts } = told
  await ours(db).insertInto('school_receipt').values({ school_id, ...told }).onConflict(conflict => conflict.columns(['school_id', 'effect']).doUpdateSet(facts)).execute()
}

/** The school goes on: nothing of it is stopped any more. */
export async function dropReceipts(db: QueryExecutorProvider, school_id: number): Promise<void> {
  await ours(db).deleteFrom('school_receipt').where('school_id', '=', school_id).execute()
}

export function listReceipts(db: QueryExecutorProvider, school_id: number) {
  return ours(db).selectFrom('school_receipt').select(['effect', 'target', 'state', 'at']).where('school_id', '=', school_id).orderBy('at').orderBy('effect').execute()
}

export function findClosing(db: QueryExecutorProvider, school_id: number) {
  return ours(db).selectFrom('school_closing').selectAll().where('school_id', '=', school_id).executeTakeFirst()
}

export async function beginClosing(db: QueryExecutorProvider, row: { school_id: number; closed_at: Date; keep_until: Date; files_total: number }): Promise<void> {
  await ours(db).insertInto('school_closing').values(row).onConflict(conflict => conflict.doNothing()).execute()
}

/** Counts removed files; files that came after the closing raise the total with them. */
export async function countRemoved(db: QueryExecutorProvider, school_id: number, { removed, left }: { removed: number; left: number }): Promise<{ files_total: number; files_removed: number }> {
  return ours(db)
    .updateTable('school_closing')
    .set(eb => ({ files_removed: eb('files_removed', '+', removed), files_total: eb(eb('files_removed', '+', removed), '+', left) }))
    .where('school_id', '=', school_id)
    .returning(['files_total', 'files_removed'])
    .executeTakeFirstOrThrow()
}

export async function finishClosing(db: QueryExecutorProvider, school_id: number, now: Date): Promise<void> {
  await ours(db).updateTable('school_closing').set({ finished_at: now }).where('school_id', '=', school_id).where('finished_at', 'is', null).execute()
}
