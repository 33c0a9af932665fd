import { sql } from 'kysely'
import { test_schools } from '../testing/index.ts'
import type { TestApp } from '../testing/index.ts'

const schools = [0, test_schools.a]

/** Every line of the operation log of the installation and of the school whose person may do everything. */
export async function allLines({ running }: TestApp): Promise<unknown[]> {
  const found: unknown[] = []
  for (const school_id of schools) {
    const { rows } = await running.database.tenant<unknown, { rows: unknown[] }>(school_id, db => sql`select to_jsonb(l) as line from operation_log l where school_id = ${school_id}`.execute(db))
    found.push(...rows)
  }
  return found
}

/** How many of them a call has written. */
export async function countLines({ running }: TestApp, call: string): Promise<number> {
  let found = 0
  for (const school_id of schools) {
    const { rows } = await running.database.tenant<unknown, { rows: { n: number }[] }>(school_id, db => sql<{ n: number }>`select count(*)::int as n from operation_log where school_id = ${school_id} and call = ${call}`.execute(db))
    found += rows[0]?.n ?? 0
  }
  return found
}
