import type { Database } from '@kit/server/db'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { log_tables } from './log-columns.ts'
import type { LogTable } from './log-columns.ts'
import { firstMonthKept, monthAfter, monthOf, startOfMonth } from './month.ts'

/** Months that stand ready before anything happens in them. */
const months_ahead = 13

export type Turned = { made: string[]; dropped: string[]; blocked: string[] }

/**
 * Makes the coming months of the journals and drops the months that are no longer kept, as the owner of the tables (chapter 10 A2). A month whose
 * rows already lie in the default partition cannot be made; it is answered as blocked. Dropping is the only way a line ever goes.
 */
export async function turnMonths(database: Database, now: Date, keep_days: number): Promise<Turned> {
  return database.owner(async db => {
    const turned: Turned = { made: [], dropped: [], blocked: [] }
    const first = firstMonthKept(now, keep_days)
    for (const table of log_tables) {
      const there = await monthsOf(db, table)
      const wanted = Array.from({ length: months_ahead + 1 }, (_, at) => monthAfter(monthOf(now), at))
      for (const month of wanted.filter(one => !there.includes(one))) {
        if (await isTaken(db, table, month)) turned.blocked.push(partition(table, month))
        else turned.made.push(await makeMonth(db, table, month))
      }
      for (const month of there.filter(one => one < first)) turned.dropped.push(await dropMonth(db, table, month))
    }
    return turned
  })
}

async function monthsOf(db: Kysely<unknown>, table: LogTable): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = ${table}::regclass and c.relname ~ ${`^${table}_[0-9]{6}$`} order by 1`.execute(db)
  return rows.map(({ name }) => name.slice(-6).replace(/^(.{4})/, '$1-'))
}

async function isTaken(db: Kysely<unknown>, table: LogTable, month: string): Promise<boolean> {
  const other = sql.table(`${table}_other`)
  const { rows } = await sql<{ taken: boolean }>`
    select exists (select from ${other} where happened_at >= ${startOfMonth(month)} and happened_at < ${startOfMonth(monthAfter(month))}) as taken`.execute(db)
  return rows[0]?.taken ?? false
}

async function makeMonth(db: Kysely<unknown>, table: LogTable, month: string): Promise<string> {
  const name = partition(table, month)
  const from = sql.lit(startOfMonth(month).toISOString())
  const to = sql.lit(startOfMonth(monthAfter(month)).toISOString())
  await sql`create table if not exists ${sql.table(name)} partition of ${sql.table(table)} for values from (${from}) to (${to})`.execute(db)
  return name
}

async function dropMonth(db: Kysely<unknown>, table: LogTable, month: string): Promise<string> {
  const name = partition(table, month)
  await sql`drop table ${sql.table(name)}`.execute(db)
  return name
}

function partition(table: LogTable, month: string): string {
  return `${table}_${month.replace('-', '')}`
}
