import type pg from 'pg'

/** Runs one statement with its parameters and answers the rows. */
export type Query = (text: string, values: readonly unknown[]) => Promise<Record<string, unknown>[]>

/** Statements over a pool, without parsing or checks of ours. */
export function poolQuery(pool: pg.Pool): Query {
  return async (text, values) => (await pool.query(text, [...values])).rows
}
