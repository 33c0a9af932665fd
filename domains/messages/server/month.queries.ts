import type { Database } from '@kit/server/db'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { monthOf } from './school-time.ts'

const tables = ['message', 'message_person', 'message_delivery'] as const
type Table = (typeof tables)[number]
/** Months that stand ready before anything happens in them, and months for which an inbox is kept beside the running one. */
const [months_ahead, months_kept] = [13, 12]

export type Turned = { made: string[]; dropped: string[] }

/** Makes the coming months of the messages and drops those no longer kept, as the owner of the tables. A month whose rows lie in the default partition already stays there. */
export async function turnMonths(database: Database, now: Date): Promise<Turned> {
  return database.owner(async db => {
    const turned: Turned = { made: [], dropped: [] }
    const first = monthAfter(monthOf(now), -months_kept)
    for (const table of tables) {
      const there = await monthsOf(db, table)
      const wanted = Array.from({ length: months_ahead + 1 }, (_, at) => monthAfter(monthOf(now), at))
      for (const month of wanted.filter(one => !there.includes(one))) if (!(await isTaken(db, table, month))) turned.made.push(await makeMonth(db, table, month))
      for (const month of there.filter(one => one < first)) turned.dropped.push(await dropMonth(db, table, month))
    }
    return turned
  })
}

/** The first day of the month `by` months later. */
export function monthAfter(month: string, by = 1): string {
  const at = Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1 + by
  return `${Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}-01`
}

async function monthsOf(db: Kysely<unknown>, table: Table): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = ${table}::regclass and c.relname ~ ${`^${table}_[0-9]{6}$`} order by 1`.execute(db)
  return rows.map(({ name }) => `${name.slice(-6, -2)}-${name.slice(-2)}-01`)
}

async function isTaken(db: Kysely<unknown>, table: Table, month: string): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`select exists (select from ${sql.table(`${table}_other`)} where month = ${month}) as taken`.execute(db)
  return rows[0]?.taken ?? false
}

async function makeMonth(db: Kysely<unknown>, table: Table, month: string): Promise<string> {
  const name = partition(table, month)
  await sql`create table ${sql.table(name)} partition of ${sql.table(table)} for values from (${sql.lit(month)}) to (${sql.lit(monthAfter(month))})`.execute(db)
  return name
}

async function dropMonth(db: Kysely<unknown>, table: Table, month: string): Promise<string> {
  const name = partition(table, month)
  await sql`drop table ${sql.table(name)}`.execute(db)
  return name
}

function partition(table: Table, month: string): string {
  return `${table}_${month.slice(0, 4)}${month.slice(5, 7)}`
}
