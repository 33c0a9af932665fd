import { insertMany } from '@kit/server/db'
import type { QueryExecutorProvider } from 'kysely'

/** One line of the installation's due list. `lane`: lines of one lane run one after the other. */
export type DueWork = { school_id: number; kind: string; ref: string; due_at: Date; lane?: string | undefined }

const line_key = ['school_id', 'kind', 'ref'] as const

/** Puts a line on the due list in the caller's transaction, whose handle may be typed to any tables; a line that already stands there stays as it is. */
export function addWork(db: QueryExecutorProvider, line: DueWork): Promise<void> {
  return addEachWork(db, [line])
}

/** Puts several lines on the due list, which are worked off in this order where they share a lane. */
export function addEachWork(db: QueryExecutorProvider, lines: readonly DueWork[]): Promise<void> {
  return insertMany(db, 'work', lines.map(({ school_id, kind, ref, lane, due_at }) => ({ school_id, kind, ref, lane, due_at })), { columns: line_key })
}
