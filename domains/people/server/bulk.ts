import { insertMany } from '@kit/server/db'
import type { Insertable } from 'kysely'
import type { Db } from './db.ts'
import type { PeopleTables } from './tables.gen.ts'

/** Rows of one statement; the widest table stays far below its 65,535 parameters. */
const rows_per_statement = 500

/** The rows in pieces of at most `size`, in order. */
export function chunks<T>(rows: readonly T[], size = rows_per_statement): T[][] {
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, at) => rows.slice(at * size, (at + 1) * size))
}

/** Inserts any number of rows. Every row must name the same columns. */
export async function insertRows<T extends keyof PeopleTables>(db: Db, table: T, rows: readonly Insertable<PeopleTables[T]>[]): Promise<void> {
  await insertMany(db, table, rows)
}
