import { describeCatalogue } from '@kit/server/db'
import type { Database } from '@kit/server/db'
import { sql } from 'kysely'
import { setTimeout as delay } from 'node:timers/promises'

/** Tables that may change although "nothing changed": logs, throttles, what proves a caller or ends by its time. */
const moving = ['operation_log', 'outbox', 'login_throttle', 'captcha', 'ticket', 'session', 'sm2_key', 'remember_token', 'provider_visit', 'idempotency_key', 'work', 'audit_seal', 'audit_watch', 'realtime_watch']

const [most_looks, look_ms] = [1200, 50]

/** The tables whose rows a checksum reads; asked once, for a test makes none. */
export async function checkedTables(database: Database): Promise<string[]> {
  const tables = await database.owner(describeCatalogue)
  return tables.filter(table => !table.is_view && table.partition_of === null && !moving.includes(table.name)).map(table => table.name)
}

/**
 * A hash of the rows of each of these tables, read school by school through the fence, each school in one statement: two that differ name what has changed.
 * @param schools tenants to look at; installation tables are read with tenant 0
 */
export async function checksum(database: Database, tables: readonly string[], schools: readonly number[]): Promise<string> {
  const lines: string[] = []
  const each = tables.map(table => sql`select ${table}::text as name, md5(string_agg(t::text, '|' order by t::text)) as hash from ${sql.table(table)} t`)
  for (const school_id of [0, ...schools]) {
    const { rows } = await database.tenant<unknown, { rows: { name: string; hash: string | null }[] }>(school_id, db => sql<{ name: string; hash: string | null }>`${sql.join(each, sql` union all `)}`.execute(db))
    for (const row of rows) lines.push(`${school_id} ${row.name} ${row.hash ?? ''}`)
  }
  return lines.join('\n')
}

/** The tables whose rows differ between two checksums, each with its school. */
export function differingTables(before: string, after: string): string[] {
  const known = new Set(before.split('\n'))
  return after.split('\n').filter(line => !known.has(line)).map(line => line.split(' ').slice(0, 2).join(' '))
}

/** How long plans of boards wait for further changes. */
const debounce_ms = 2000

/** Waits until every event has been heard and what came of it at once, or within moments, is done; one that cannot be heard is left alone. */
export async function untilTold(database: Database, now: Date): Promise<void> {
  for (let looks = 0; looks < most_looks; looks += 1) {
    const { rows } = await database.tenant<unknown, { rows: unknown[] }>(0, db => sql`
      select from work where (kind in ('event', 'message.deliver') and due_at <= ${now}) or (kind = 'publishing.board_compile' and due_at <= ${new Date(now.getTime() + debounce_ms)}) limit 1`.execute(db))
    if (rows.length === 0) return
    await delay(look_ms)
  }
}
