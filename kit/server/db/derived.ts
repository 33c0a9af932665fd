import type { CompiledQuery, QueryExecutorProvider } from 'kysely'

/** Whose rows a transaction wrote: these people, or somebody. */
export type Touched = readonly string[] | 'unknown'

/** Rows that follow from rows of other tables, brought up to date at the end of every transaction of a school that wrote to those. */
export type Derived = {
  /** the other tables, with the columns whose update matters; rows that come and go always do */
  sources: Readonly<Record<string, readonly string[]>>
  /** runs inside the transaction, as its last statements */
  settle(db: QueryExecutorProvider, school_id: number, touched: Touched): Promise<void>
}

/** What one transaction has written to the sources of one derived table. */
export type Watch = { derived: Derived; patterns: readonly Pattern[]; ids: Set<string>; is_unknown: boolean; is_touched: boolean }
type Pattern = { rows: RegExp; update: RegExp; columns: RegExp }

const writes = /\b(?:insert|update|delete|merge)\b/i
const owners = new WeakMap<CompiledQuery, readonly string[]>()

/** Says whose rows a statement writes, so that nobody else's are compared at the end of its transaction. */
export function touching<T>(query: CompiledQuery<T>, user_ids: readonly string[]): CompiledQuery<T> {
  owners.set(query, user_ids)
  return query
}

/** A watch for one transaction. */
export function watchFor(derived: Derived): () => Watch {
  const patterns = Object.entries(derived.sources).map(([table, columns]) => ({
    rows: new RegExp(`\\b(?:insert into|delete from|merge into)\\s+"?${table}"?(?![\\w])`, 'i'),
    update: new RegExp(`\\bupdate\\s+"?${table}"?(?![\\w])([\\s\\S]*?)(?:\\bwhere\\b|$)`, 'i'),
    columns: new RegExp(`\\b(?:${columns.join('|')})\\b`),
  }))
  return () => ({ derived, patterns, ids: new Set(), is_unknown: false, is_touched: false })
}

/** Notes what a statement writes. */
export function noteWrite(watches: readonly Watch[], query: CompiledQuery): void {
  if (!writes.test(query.sql)) return
  for (const watch of watches) {
    if (!watch.patterns.some(pattern => isWritten(pattern, query.sql))) continue
    const ids = owners.get(query)
    watch.is_touched = true
    if (ids === undefined) watch.is_unknown = true
    else for (const id of ids) watch.ids.add(id)
  }
}

function isWritten({ rows, update, columns }: Pattern, sql: string): boolean {
  const changed = update.exec(sql)?.[1]
  return rows.test(sql) || (changed !== undefined && columns.test(changed))
}

/** Brings everything up to date that follows from what the transaction wrote. */
export async function settleWatches(db: QueryExecutorProvider, school_id: number, watches: readonly Watch[]): Promise<void> {
  for (const { derived, is_touched, is_unknown, ids } of watches) {
    if (is_touched) await derived.settle(db, school_id, is_unknown ? 'unknown' : [...ids])
  }
}
