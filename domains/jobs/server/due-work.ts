import type { Kysely } from 'kysely'
import { ours } from './db.ts'

/** One line of the installation's due list. `lane`: lines of one lane run one after the other. */
export type DueWork = { school_id: number; kind: string; ref: string; due_at: Date; lane?: string }

/** Puts a line on the due list in the caller's transaction; a line that already stands there stays as it is. */
export async function addWork(db: Kysely<unknown>, work: DueWork): Promise<void> {
  await ours(db).insertInto('work').values({ ...work, lane: work.lane ?? null }).onConflict(on => on.constraint('work_ref').doNothing()).execute()
}
