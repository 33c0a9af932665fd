import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'

/** Lines of imports about one thing: of these templates, with this `target_id`, or having written to one of these keys. */
export type ErasedLines = { school_id: number; templates: readonly string[]; target_id: string; touched: readonly string[] }

/**
 * Empties what imports keep of somebody who is deleted: the text of his lines and what they found; what an undo would need goes when its time
 * has passed. The files themselves go with their batches after 180 days.
 * @returns lines that were emptied
 */
export async function eraseLines(db: QueryExecutorProvider, { school_id, templates, target_id, touched }: ErasedLines): Promise<number> {
  const now = new Date()
  const { rows } = await sql<{ row_no: number }>`
    update import_row r set raw = null, keys = '{}', diff = null, errors = null, warnings = null, before = case when b.undo_until > ${now} then r.before end
    from import_batch b
    where r.school_id = ${school_id} and b.school_id = ${school_id} and b.batch_no = r.batch_no and b.template = any(${[...templates]}::text[])
      and (r.target_id = ${target_id} or exists (select from unnest(r.touched) t where split_part(t, '=', 1) = any(${[...touched]}::text[])))
      and (r.raw is not null or r.keys <> '{}' or r.diff is not null or r.errors is not null or r.warnings is not null or (r.before is not null and b.undo_until <= ${now}))
    returning r.row_no`.execute(db)
  return rows.length
}
