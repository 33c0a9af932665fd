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

/** Puts several lines on the due list, which are worked off in this order where they share a lane. */
export async function addEachWork(db: QueryExecutorProvider, lines: readonly DueWork[]): Promise<void> {
  await sql`
    insert into work (school_id, kind, ref, lane, due_at)
    select w.school_id, w.kind, w.ref, w.lane, w.due_at
    from rows from (jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as (school_id int, kind text, ref text, lane text, due_at timestamptz)) with ordinality w(school_id, kind, ref, lane, due_at, nth)
    order by w.nth on conflict on constraint work_ref do nothing`.execute(db)
}
