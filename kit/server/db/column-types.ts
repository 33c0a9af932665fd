import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'

/** `type`: its name in the catalogue, without length or precision: what is too long is refused and not cut. */
export type ColumnType = { type: string; is_array: boolean; not_null: boolean }

/** A database is known by its adapter, of which its handles share one; its tables do not change while a server runs. */
const known = new WeakMap<object, Map<string, ReadonlyMap<string, ColumnType>>>()

/** The columns of a table, asked for once. @returns none when there is no such table */
export async function columnTypes(db: QueryExecutorProvider, table: string): Promise<ReadonlyMap<string, ColumnType>> {
  const { adapter } = db.getExecutor()
  const tables = known.get(adapter) ?? new Map<string, ReadonlyMap<string, ColumnType>>()
  known.set(adapter, tables)
  const found = tables.get(table) ?? (await readTypes(db, table))
  if (found.size > 0) tables.set(table, found)
  return found
}

async function readTypes(db: QueryExecutorProvider, table: string): Promise<ReadonlyMap<string, ColumnType>> {
  const { rows } = await sql<ColumnType & { name: string }>`
    select a.attname as name, t.typname as type, t.typcategory = 'A' as is_array, a.attnotnull as not_null from pg_attribute a join pg_type t on t.oid = a.atttypid
    where a.attrelid = to_regclass(quote_ident(${table})) and a.attnum > 0 and not a.attisdropped`.execute(db)
  return new Map(rows.map(({ name, ...type }) => [name, type]))
}
