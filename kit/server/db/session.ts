import type pg from 'pg'

/** Which of the two roles a session runs as: the product (`app`) or migrations and partitions (`owner`). */
export type Role = 'app' | 'owner'

/** What one statement answered. Rows carry the driver's own type: the column types are known to Kysely's compiled query only. */
export type Outcome = { command: string; affected: number | null; rows: pg.QueryResult['rows'] }

/** One database session on loan. Both engines implement it; nothing above this line knows which one it is. */
export type Session = {
  /** One statement in the extended protocol: a second statement in the text is refused by the server. A server keeps it under `name`, if it has one. */
  query(text: string, values: readonly unknown[], name?: string): Promise<Outcome>
  /** Several statements in one message, without parameters. Answers the tag of the last command. */
  exec(text: string): Promise<string>
  /** Gives the session back. `broken` says that its state is unknown and it must not be used again as it is. */
  release(broken: boolean): Promise<void>
}

/** Who listens to notices of the database. */
export type Ear = {
  heard(payload: string): void
  /** notices may have been missed: the session that listened was lost and has been replaced */
  missed(): void
}

/** An opened engine: hands out sessions by role. */
export type SessionSource = {
  acquire(role: Role): Promise<Session>
  /** A copy of the whole database as one file; undefined where the engine has none. */
  snapshot?: () => Promise<Uint8Array>
  /** See Database.listen. */
  listen(channel: string, ear: Ear): Promise<() => Promise<void>>
  close(): Promise<void>
}

/**
 * Settings that make both engines write dates, intervals and zones the same way, and plan for what is there now: the checks of foreign keys keep
 * plans of the moment a table was empty, and parallel workers build the same small sets again. Nothing is compiled: by its estimate a question to dozens
 * of months is dear, and compiling it took 150 ms where the answer took 3. The last two reach a Citus cluster alone: without the first the school of a
 * transaction is not known to its workers, and every school reads no rows.
 */
export const SESSION_SETTINGS: ReadonlyArray<readonly [name: string, value: string]> = [
  ['timezone', 'Asia/Shanghai'],
  ['datestyle', 'ISO,YMD'],
  ['intervalstyle', 'postgres'],
  ['search_path', 'public'],
  ['plan_cache_mode', 'force_custom_plan'],
  ['max_parallel_workers_per_gather', '0'],
  ['jit', 'off'],
  ['citus.propagate_set_commands', 'local'],
  ['citus.multi_shard_modify_mode', 'sequential'],
]
