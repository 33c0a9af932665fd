import { jobsErrors } from '@campus/jobs/contract'
import { fail } from '@kit/contract'
import type { Kysely, Updateable } from 'kysely'
import { sql } from 'kysely'
import { ours } from '../db.ts'
import type { JobsDb } from '../db.ts'

export type BatchKey = { school_id: number; batch_no: string }
export type NewBatch = BatchKey & {
  template: string
  file_key: string
  file_name: string
  params: string
  columns: string
  created_by: string
  created_by_name: string
  created_at: Date
}
export type BatchRow = Awaited<ReturnType<typeof lockBatch>>

/** Inserts a batch; false when its number is taken. */
export async function insertBatch(db: Kysely<unknown>, batch: NewBatch): Promise<boolean> {
  const row = await ours(db).insertInto('import_batch').values(batch).onConflict(on => on.columns(['school_id', 'batch_no']).doNothing()).returning('batch_no').executeTakeFirst()
  return row !== undefined
}

/** One batch, or nothing; `created_by` null = whoever made it. */
export function findBatch(db: Kysely<unknown>, { school_id, batch_no }: BatchKey, created_by: string | null) {
  const query = ours(db).selectFrom('import_batch').selectAll().where('school_id', '=', school_id).where('batch_no', '=', batch_no)
  return (created_by === null ? query : query.where('created_by', '=', created_by)).executeTakeFirst()
}

/**
 * The batch, locked until the transaction ends.
 * @throws Refusal 404 batchNotFound
 */
export async function lockBatch(db: Kysely<unknown>, { school_id, batch_no }: BatchKey) {
  const row = await ours(db).selectFrom('import_batch').selectAll().where('school_id', '=', school_id).where('batch_no', '=', batch_no).forUpdate().executeTakeFirst()
  if (!row) throw fail(jobsErrors.batchNotFound)
  return row
}

export type BatchFilter = { template?: string | undefined; state?: string | undefined; created_by: string | null; page_index: number; page_size: number }

/** One page of batches, newest first, and how many there are. */
export async function pageBatches(db: Kysely<unknown>, school_id: number, filter: BatchFilter) {
  let query = ours(db).selectFrom('import_batch').where('school_id', '=', school_id)
  if (filter.created_by !== null) query = query.where('created_by', '=', filter.created_by)
  if (filter.template !== undefined) query = query.where('template', '=', filter.template)
  if (filter.state !== undefined) query = query.where('state', '=', filter.state)
  const list = await query
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('batch_no', 'desc')
    .limit(filter.page_size)
    .offset((filter.page_index - 1) * filter.page_size)
    .execute()
  const { total } = await query.select(eb => eb.fn.countAll<string>().as('total')).executeTakeFirstOrThrow()
  return { list, total: Number(total) }
}

/** Changes a batch that is in one of the given states; answers its row, or nothing when it is in another one. */
export function changeBatch(db: Kysely<unknown>, { school_id, batch_no }: BatchKey, from: readonly string[], change: Updateable<JobsDb['import_batch']>) {
  return ours(db)
    .updateTable('import_batch')
    .set(change)
    .where('school_id', '=', school_id)
    .where('batch_no', '=', batch_no)
    .where('state', 'in', from)
    .returningAll()
    .executeTakeFirst()
}

/** Counts the rows of a batch anew and keeps the figures; answers its row. */
export async function recount(db: Kysely<unknown>, { school_id, batch_no }: BatchKey) {
  const { rows } = await sql<Record<string, string>>`
    select count(*) as rows_total,
      count(*) filter (where verdict = 'new') as rows_new, count(*) filter (where verdict = 'change') as rows_change,
      count(*) filter (where verdict = 'same') as rows_same, count(*) filter (where verdict = 'error') as rows_error,
      count(*) filter (where verdict = 'skipped') as rows_skipped,
      count(*) filter (where warnings is not null and verdict <> 'skipped') as rows_warn,
      count(*) filter (where outcome in ('applied', 'undone')) as rows_applied, count(*) filter (where outcome = 'undone') as rows_undone,
      count(*) filter (where outcome = 'applied' and errors is not null) as rows_blocked, count(*) filter (where outcome = 'recheck') as rows_recheck
    from import_row where school_id = ${school_id} and batch_no = ${batch_no}`.execute(db)
  const counts = Object.fromEntries(Object.entries(rows[0] ?? {}).map(([name, count]) => [name, Number(count)]))
  return ours(db).updateTable('import_batch').set(counts).where('school_id', '=', school_id).where('batch_no', '=', batch_no).returningAll().executeTakeFirstOrThrow()
}
