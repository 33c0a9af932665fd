import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import type { Database } from './database.ts'

const look_ms = 15_000

/**
 * Keeps the planner's statistics of the embedded engine, which has no autovacuum: tables whose size left what the planner believes are analysed,
 * now and every 15 seconds. A real server does this by itself; there the answer does nothing.
 * @returns a function that stops it
 */
export function keepStatistics(database: Database, on_error: (error: unknown) => void): () => Promise<void> {
  if (database.engine !== 'pglite') return async () => undefined
  let round = analyzeGrown(database).catch(on_error)
  const timer = setInterval(() => {
    round = round.then(() => analyzeGrown(database)).catch(on_error)
  }, look_ms)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await round
  }
}

/**
 * Until the transaction ends, the checks of foreign keys are planned once and not once a row, which otherwise is the dearest part of writing
 * hundreds of rows. Other statements are planned as before. The plans are as good as the planner's statistics: see `refreshStatistics`.
 */
export async function keepPlans(db: QueryExecutorProvider): Promise<void> {
  await sql`select set_config('plan_cache_mode', 'auto', true)`.execute(db)
}

const rounds = new WeakMap<Database, Promise<unknown>>()

/** Analyses every table that grew or shrank by a fifth since it was last analysed; one short statement a table, one round after the other. */
export function analyzeGrown(database: Database): Promise<string[]> {
  const last = rounds.get(database) ?? Promise.resolve()
  const round = last.then(() => analyzeRound(database), () => analyzeRound(database))
  rounds.set(database, round)
  return round
}

async function analyzeRound(database: Database): Promise<string[]> {
  const { rows } = await database.owner(db =>
    sql<{ name: string }>`
      select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 8192
        and abs(pg_relation_size(oid) - greatest(relpages, 0) * 8192::bigint) * 5 > pg_relation_size(oid)
      order by relname`.execute(db),
  )
  for (const { name } of rows) await database.owner(db => sql`analyze ${sql.table(name)}`.execute(db))
  return rows.map(row => row.name)
}

/**
 * Analyses what has grown, in the caller's transaction: for work that fills tables faster than a server notices by itself. The locks last until the
 * transaction ends, so give it one of its own. Needs the migrations of the kit.
 */
export async function refreshStatistics(db: QueryExecutorProvider): Promise<void> {
  // A fifth of the usual sample says enough of tables that are still being filled.
  await sql`select set_config('default_statistics_target', '20', true)`.execute(db)
  await sql`select analyze_grown()`.execute(db)
}
