import { insertMany } from '@kit/server/db'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { ours } from '../db.ts'
import type { Touch } from '@kit/server/excel'
import type { BatchKey } from './batch.queries.ts'
import type { RowVerdict } from './row-verdict.ts'

export type StoredVerdict = RowVerdict & { keys: readonly string[]; is_skipped?: boolean }

const row_key = ['school_id', 'batch_no', 'row_no'] as const

/** Writes verdicts of a batch, at most 500 in one statement; what stood there of the same rows is replaced. */
export async function saveVerdicts(db: Kysely<unknown>, { school_id, batch_no }: BatchKey, rows: readonly StoredVerdict[]): Promise<void> {
  if (rows.length === 0) return
  const values = rows.map(row => ({
    school_id,
    batch_no,
    row_no: row.row_no,
    verdict: row.is_skipped ? 'skipped' : row.verdict,
    raw: row.raw && JSON.stringify(row.raw),
    keys: [...row.keys],
    diff: jsonList(row.diff),
    errors: jsonList(row.errors),
    warnings: jsonList(row.warnings),
    target_id: row.target_id,
    basis: row.basis,
  }))
  await insertMany(db, 'import_row', values, { columns: row_key, set: ['verdict', 'raw', 'keys', 'diff', 'errors', 'warnings', 'target_id', 'basis'] })
}

function jsonList(list: readonly unknown[]): string | null {
  return list.length > 0 ? JSON.stringify(list) : null
}

/** The last line of the file whose verdict is committed; 0 at the beginning. */
export async function lastRowNo(db: Kysely<unknown>, { school_id, batch_no }: BatchKey): Promise<number> {
  const { last } = await ours(db)
    .selectFrom('import_row')
    .select(eb => eb.fn.max('row_no').as('last'))
    .where('school_id', '=', school_id)
    .where('batch_no', '=', batch_no)
    .executeTakeFirstOrThrow()
  return last ?? 0
}

function rowsOf(db: Kysely<unknown>, { school_id, batch_no }: BatchKey) {
  return ours(db).selectFrom('import_row').where('school_id', '=', school_id).where('batch_no', '=', batch_no)
}

/** One row, or nothing. */
export function findRow(db: Kysely<unknown>, batch: BatchKey, row_no: number) {
  return rowsOf(db, batch).selectAll().where('row_no', '=', row_no).executeTakeFirst()
}
export type StoredRow = NonNullable<Awaited<ReturnType<typeof findRow>>>

export type RowFilter = { verdict?: string | undefined; only_warn: boolean; only_recheck: boolean; only_blocked: boolean; page_index: number; page_size: number }

/** One page of rows in the order of the file, and how many there are. */
export async function pageRows(db: Kysely<unknown>, batch: BatchKey, filter: RowFilter): Promise<{ list: StoredRow[]; total: number }> {
  let query = rowsOf(db, batch)
  if (filter.verdict !== undefined) query = query.where('verdict', '=', filter.verdict)
  if (filter.only_warn) query = query.where('warnings', 'is not', null)
  if (filter.only_recheck) query = query.where('outcome', '=', 'recheck')
  if (filter.only_blocked) query = query.where('outcome', '=', 'applied').where('errors', 'is not', null)
  const list = await query.selectAll().orderBy('row_no').limit(filter.page_size).offset((filter.page_index - 1) * filter.page_size).execute()
  const { total } = await query.select(eb => eb.fn.countAll<string>().as('total')).executeTakeFirstOrThrow()
  return { list, total: Number(total) }
}

/** Rows that hold one of the keys and take part in the import (skipped ones do not), in the order of the file. */
export function rowsHolding(db: Kysely<unknown>, batch: BatchKey, keys: readonly string[], limit: number): Promise<StoredRow[]> {
  if (keys.length === 0) return Promise.resolve([])
  return rowsOf(db, batch).selectAll().where('keys', '&&', sql<string[]>`array[${sql.join(keys)}]::text[]`).where('verdict', '<>', 'skipped').orderBy('row_no').limit(limit).execute()
}

/** Rows after a line that are still to be applied, in the order of the file. */
export function nextToApply(db: Kysely<unknown>, batch: BatchKey, after: number, limit: number): Promise<StoredRow[]> {
  return rowsOf(db, batch).selectAll().where('row_no', '>', after).where('verdict', 'in', ['new', 'change']).where('outcome', 'is', null).orderBy('row_no').limit(limit).execute()
}

/** Rows of the error sheet: with errors, to be checked again, or left behind by a broken-off import. */
export function problemRows(db: Kysely<unknown>, batch: BatchKey, is_applied: boolean): Promise<StoredRow[]> {
  return rowsOf(db, batch)
    .selectAll()
    .where(eb => {
      const wrong = [eb('verdict', '=', 'error'), eb('outcome', '=', 'recheck')]
      return eb.or(is_applied ? [...wrong, eb.and([eb('verdict', 'in', ['new', 'change']), eb('outcome', 'is', null)])] : wrong)
    })
    .orderBy('row_no')
    .execute()
}

export type RowOutcome = { row_no: number; verdict: string; outcome: 'applied' | 'recheck'; target_id: string | null; before: unknown; touched: readonly Touch[]; errors: readonly unknown[] }

/** Settles rows of a batch, in the transaction that applied them. */
export async function saveOutcomes(db: Kysely<unknown>, { school_id, batch_no }: BatchKey, rows: readonly RowOutcome[]): Promise<void> {
  if (rows.length === 0) return
  const values = rows.map(({ before, touched, errors, ...row }) => ({
    ...row,
    school_id,
    batch_no,
    before: before === null || before === undefined ? null : JSON.stringify(before),
    touched: touched.map(({ key, mark }) => `${key}=${mark}`),
    errors: jsonList(errors),
  }))
  await insertMany(db, 'import_row', values, { columns: row_key, set: ['outcome', 'target_id', 'before', 'touched', 'errors'] })
}
