import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'

/** One line of the installation's due list. `lane`: lines of one lane run one after the other. */
export type DueWork = { school_id: number; kind: string; ref: string; due_at: Date; lane?: string | undefined }

/** Puts a line on the due list in the caller's transaction, whose handle may be typed to any tables; a line that already stands there stays as it is. */
export async function addWork(db: QueryExecutorProvider, { school_id, kind, ref, due_at, lane }: DueWork): Promise<void> {
  await sql`
    insert into work (school_id, kind, ref, lane, due_at) values (${school_id}, ${kind}, ${ref}, ${lane ?? null}, ${due_at})
    on conflict on constraint work_ref do nothing`.execute(db)
}
