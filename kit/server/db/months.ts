import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type { Database } from './database.ts'

const zone_ms = 8 * 3_600_000
/** A table whose rows lie in one partition a month, named `<table>_YYYYMM`, and in `<table>_other` where no month is theirs. */
export type MonthTable = {
  table: string
  /** the column by which it is divided */
  column: string
  /** what that column holds: days, or instants (a month then begins at midnight at school) */
  holds: 'day' | 'instant'
  /** months before this one (`YYYY-MM`) are dropped */
  first: string
}
/** Names of partitions. `blocked`: months whose rows already lie in the default partition, which cannot be made any more. */
export type Turned = { made: string[]; dropped: string[]; blocked: string[] }

/** The month of a moment at school, `YYYY-MM`. */
export function monthOf(at: Date): string {
  return new Date(at.getTime() + zone_ms).toISOString().slice(0, 7)
}

/** The month `by` months later. */
export function monthAfter(month: string, by = 1): string {
  const at = Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1 + by
  return `${String(Math.floor(at / 12)).padStart(4, '0')}-${String((at % 12) + 1).padStart(2, '0')}`
}

/** The first moment of a month at school. */
export function startOfMonth(month: string): Date {
  return new Date(`${month}-01T00:00:00+08:00`)
}

/** True when this process knows the owner of the tables, who alone can make and drop months; elsewhere `migrate up` is the operator's. */
export function mayTurnMonths({ engine }: Database, { DATABASE_OWNER_URL }: { DATABASE_OWNER_URL?: string | undefined }): boolean {
  return engine === 'pglite' || DATABASE_OWNER_URL !== undefined
}

/**
 * Makes the running month of these tables and `months_ahead` more, and drops those no longer kept. Dropping a whole month is the only way
 * their rows ever go.
 */
export async function turnMonths(database: Database, now: Date, tables: readonly MonthTable[], months_ahead: number): Promise<Turned> {
  return database.owner(async db => {
    const turned: Turned = { made: [], dropped: [], blocked: [] }
    const present = await readMonths(db)
    for (const table of tables) {
      const there = present[table.table] ?? []
      const wanted = Array.from({ length: months_ahead + 1 }, (_, at) => monthAfter(monthOf(now), at))
      for (const month of wanted.filter(one => !there.includes(one))) {
        if (await isTaken(db, table, month)) turned.blocked.push(partition(table, month))
        else turned.made.push(await makeMonth(db, table, month))
      }
      for (const month of there.filter(one => one < table.first)) turned.dropped.push(await dropMonth(db, table, month))
    }
    return turned
  })
}

/** The months that tables have, `YYYY-MM`, by table; a table that does not lie in months is left out. */
export async function readMonths(db: Kysely<unknown>): Promise<Record<string, string[]>> {
  const { rows } = await sql<{ table: string; months: string[] }>`
    select p.relname as table, array_agg(left(right(c.relname, 6), 4) || '-' || right(c.relname, 2) order by c.relname) as months
    from pg_inherits i join pg_class p on p.oid = i.inhparent join pg_class c on c.oid = i.inhrelid
    where p.relkind = 'p' and c.relname ~ ('^' || p.relname || '_[0-9]{6}$') group by 1`.execute(db)
  return Object.fromEntries(rows.map(({ table, months }) => [table, months]))
}

/** Makes the months that another database had, so that its rows find theirs here and go with them one day. */
export async function makeMonths(database: Database, months: Readonly<Record<string, readonly string[]>>): Promise<void> {
  await database.owner(async db => {
    const present = await readMonths(db)
    for (const [table, wanted] of Object.entries(months)) {
      const there = present[table] ?? []
      const holds = await holdsOf(db, table)
      for (const month of wanted.filter(one => !there.includes(one))) await makeMonth(db, { table, holds }, month)
    }
  })
}

/** What the column holds by which a table is divided. */
async function holdsOf(db: Kysely<unknown>, table: string): Promise<MonthTable['holds']> {
  const { rows } = await sql<{ type: string }>`
    select format_type(a.atttypid, null) as type from pg_partitioned_table p join pg_attribute a on a.attrelid = p.partrelid and a.attnum = p.partattrs[0]
    where p.partrelid = ${table}::regclass`.execute(db)
  return rows[0]?.type === 'date' ? 'day' : 'instant'
}

async function isTaken(db: Kysely<unknown>, table: MonthTable, month: string): Promise<boolean> {
  const column = sql.ref(table.column)
  const { rows } = await sql<{ taken: boolean }>`
    select exists (select 1 from ${sql.table(`${table.table}_other`)} where ${column} >= ${bound(table, month)} and ${column} < ${bound(table, monthAfter(month))}) as taken`.execute(db)
  return rows[0]?.taken ?? false
}

async function makeMonth(db: Kysely<unknown>, table: Pick<MonthTable, 'table' | 'holds'>, month: string): Promise<string> {
  const name = partition(table, month)
  await sql`create table if not exists ${sql.table(name)} partition of ${sql.table(table.table)} for values from (${bound(table, month)}) to (${bound(table, monthAfter(month))})`.execute(db)
  return name
}

async function dropMonth(db: Kysely<unknown>, table: MonthTable, month: string): Promise<string> {
  const name = partition(table, month)
  await sql`drop table ${sql.table(name)}`.execute(db)
  return name
}

/** Where a month begins, as a literal of its column. */
function bound({ holds }: Pick<MonthTable, 'holds'>, month: string) {
  return sql.lit(holds === 'day' ? `${month}-01` : startOfMonth(month).toISOString())
}

function partition({ table }: Pick<MonthTable, 'table'>, month: string): string {
  return `${table}_${month.replace('-', '')}`
}
