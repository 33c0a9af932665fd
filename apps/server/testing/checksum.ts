import { createHash } from 'node:crypto'
import { describeCatalogue } from '@kit/server/db'
import type { Database } from '@kit/server/db'
import { sql } from 'kysely'

/** Tables that may change although "nothing changed": logs, throttles, what proves a caller. */
const moving = ['operation_log', 'login_throttle', 'captcha', 'ticket', 'session', 'sm2_key', 'remember_token', 'idempotency_key', 'work']

/**
 * One hash over the rows of every table but logs and throttle, read school by school through the fence.
 * @param schools tenants to look at; installation tables are read with tenant 0
 */
export async function checksum(database: Database, schools: readonly number[]): Promise<string> {
  const tables = (await database.owner(describeCatalogue)).filter(table => !table.is_view && table.partition_of === null && !moving.includes(table.name))
  const hash = createHash('sha256')
  for (const school_id of [0, ...schools]) {
    for (const table of tables) hash.update(await tableHash(database, school_id, table.name))
  }
  return hash.digest('hex')
}

async function tableHash(database: Database, school_id: number, table: string): Promise<string> {
  const { rows } = await database.tenant<unknown, { rows: { hash: string | null }[] }>(school_id, db =>
    sql<{ hash: string | null }>`select md5(string_agg(t::text, '|' order by t::text)) as hash from ${sql.table(table)} t`.execute(db),
  )
  return `${school_id}:${table}:${rows[0]?.hash ?? ''};`
}
