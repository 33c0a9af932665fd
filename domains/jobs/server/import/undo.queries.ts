import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { ours } from '../db.ts'
import type { BatchKey } from './batch.queries.ts'
import { readTouches } from './undo-plan.ts'
import type { TouchedRow } from './undo-plan.ts'

function appliedRows(db: Kysely<unknown>, { school_id, batch_no }: BatchKey) {
  return ours(db).selectFrom('import_row').where('school_id', '=', school_id).where('batch_no', '=', batch_no).where('outcome', '=', 'applied')
}

/** Applied rows after a line of the file, with what they wrote to, in order. */
export async function touchedRows(db: Kysely<unknown>, batch: BatchKey, after: number, limit: number): Promise<TouchedRow[]> {
  const rows = await appliedRows(db, batch).select(['row_no', 'touched']).where('row_no', '>', after).orderBy('row_no').limit(limit).execute()
  return rows.map(({ row_no, touched }) => ({ row_no, touched: readTouches(touched) }))
}

/** The last applied rows that nothing blocks, latest first. */
export async function nextToUndo(db: Kysely<unknown>, batch: BatchKey, limit: number) {
  const rows = await appliedRows(db, batch).select(['row_no', 'target_id', 'before', 'touched']).where('errors', 'is', null).orderBy('row_no', 'desc').limit(limit).execute()
  return rows.map(({ touched, ...row }) => ({ ...row, target_id: row.target_id ?? '', touched: readTouches(touched) }))
}
export type RowToUndo = Awaited<ReturnType<typeof nextToUndo>>[number]

/** Settles undone rows; their image of the time before has done its work. */
export async function saveUndone(db: Kysely<unknown>, { school_id, batch_no }: BatchKey, row_nos: readonly number[]): Promise<void> {
  await ours(db)
    .updateTable('import_row')
    .set({ outcome: 'undone', before: null })
    .where('school_id', '=', school_id)
    .where('batch_no', '=', batch_no)
    .where(sql<boolean>`row_no = any(${[...row_nos]}::int[])`)
    .execute()
}

/** Forgets why rows could not be undone the last time. */
export async function clearBlocks(db: Kysely<unknown>, { school_id, batch_no }: BatchKey): Promise<void> {
  await ours(db).updateTable('import_row').set({ errors: null }).where('school_id', '=', school_id).where('batch_no', '=', batch_no).where('outcome', '=', 'applied').execute()
}

/** Notes of applied rows why they cannot be undone, one statement a reason. */
export async function saveBlocks(db: Kysely<unknown>, { school_id, batch_no }: BatchKey, reasons: ReadonlyMap<number, string>): Promise<void> {
  const by_reason = Map.groupBy(reasons, ([, msg]) => msg)
  for (const [msg, rows] of by_reason) {
    await ours(db)
      .updateTable('import_row')
      .set({ errors: JSON.stringify([{ prop: '', label: '', msg }]) })
      .where('school_id', '=', school_id)
      .where('batch_no', '=', batch_no)
      .where(sql<boolean>`row_no = any(${rows.map(([row_no]) => row_no)}::int[])`)
      .execute()
  }
}
