import { asTables } from '@kit/server/db'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import type { JobsDb } from '../db.ts'

/**
 * Keeps the pieces of imports of a template from being written until the transaction ends.
 * @returns whether a batch is on its way: it has read the school as it was, and would go on after the caller has changed it
 */
export async function holdImports(db: QueryExecutorProvider, school_id: number, template: string): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(${school_id}::int, hashtext(${`import:${template}`}))`.execute(db)
  const own = asTables<JobsDb>(db)
  const batch = await own.selectFrom('import_batch').select('batch_no').where('school_id', '=', school_id).where('template', '=', template).where('state', 'in', ['applying', 'undoing']).limit(1).executeTakeFirst()
  return batch !== undefined
}
