import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { z } from 'zod'
import type { Db } from '../db.ts'
import type { OwnedRow, RowPlan } from './dated.plan.ts'
import type { MovedRow } from './rekey-port.ts'

type Pair = { school_id: number; keep_user_id: string; drop_user_id: string }

const Image = z.record(z.string(), z.unknown())
type Image = z.output<typeof Image>
/** The range column follows from the two days. */
const generated = 'valid'

/** All rows of one person in a table with an `id`, by the column that names him; every column comes along. */
export async function rowsOf<T extends OwnedRow>(db: Db, school_id: number, place: { table: string; column: string; schema: z.ZodType<T> }, user_id: string): Promise<T[]> {
  const { rows } = await sql<{ image: unknown }>`
    select to_jsonb(t) - ${generated}::text as image from ${sql.table(place.table)} t
    where t.school_id = ${school_id} and t.${sql.ref(place.column)} = ${user_id} order by t.id`.execute(db)
  return rows.map(row => place.schema.parse(row.image))
}

/** Carries a plan out, what ends before what begins; answers what takes it back, in the order in which it was done. */
export async function writePlan<T extends OwnedRow>(db: Db, pair: Pair, place: { table: string; column: string }, plan: RowPlan<T>): Promise<MovedRow[]> {
  const { school_id, keep_user_id, drop_user_id } = pair
  const at = { db, school_id, ...place }
  const noted = (row: OwnedRow) => ({ table_name: place.table, column_name: place.column, row_key: String(row.id) })
  const owner = (row: OwnedRow) => String(Image.parse(row)[place.column])
  const done: MovedRow[] = []
  for (const row of plan.removed) {
    await sql`delete from ${sql.table(place.table)} where school_id = ${school_id} and id = ${row.id}`.execute(db)
    done.push({ ...noted(row), old_user_id: owner(row), before: row })
  }
  // What is cut makes room for what takes its place.
  for (const { row, patch } of plan.changed.toSorted((one, other) => Number('valid_to' in other.patch) - Number('valid_to' in one.patch))) {
    done.push({ ...noted(row), old_user_id: owner(row), before: row, after: await change(at, row.id, Image.parse(patch)) })
  }
  for (const { row, patch } of plan.moved) {
    const after = await change(at, row.id, { ...Image.parse(patch), [place.column]: keep_user_id })
    done.push(Object.keys(patch).length === 0 ? { ...noted(row), old_user_id: drop_user_id } : { ...noted(row), old_user_id: drop_user_id, before: row, after })
  }
  for (const { row, patch } of plan.added) {
    const { id: _, ...copy } = { ...Image.parse(row), ...Image.parse(patch), [place.column]: keep_user_id }
    const after = await insert(at, copy)
    done.push({ ...noted(row), row_key: String(after.id), old_user_id: drop_user_id, after })
  }
  return done
}

/** Takes rows back, the last one first. One that was changed since, or to which something new stands in the way, is left and answered. */
export async function takeBack(db: Db, { school_id, keep_user_id }: Pair, rows: readonly MovedRow[]): Promise<MovedRow[]> {
  const left: MovedRow[] = []
  for (const row of rows.toReversed()) {
    await sql`savepoint one_row`.execute(db)
    const is_back = await restore({ db, school_id, table: row.table_name, column: row.column_name }, keep_user_id, row).catch(() => false)
    await (is_back ? sql`release savepoint one_row` : sql`rollback to savepoint one_row`).execute(db)
    if (!is_back) left.push(row)
  }
  return left
}

type At = { db: Db; school_id: number; table: string; column: string }

async function restore(at: At, keep_user_id: string, { row_key, old_user_id, before, after }: MovedRow): Promise<boolean> {
  const { db, school_id, table, column } = at
  const which = sql`t.school_id = ${school_id} and t.id = ${row_key}`
  if (before === undefined && after === undefined) {
    return changed(await sql`update ${sql.table(table)} t set ${sql.ref(column)} = ${old_user_id} where ${which} and t.${sql.ref(column)} = ${keep_user_id}`.execute(db))
  }
  if (after !== undefined && !(await isAs(at, which, Image.parse(after)))) return false
  if (before === undefined) return changed(await sql`delete from ${sql.table(table)} t where ${which}`.execute(db))
  const image = Image.parse(before)
  if (after === undefined) return (await insert(at, image), true)
  const columns = Object.keys(image).filter(name => name !== 'id' && name !== 'school_id')
  return changed(await sql`update ${sql.table(table)} t set ${assigned(columns)} from ${saidOf(table, image)} where ${which}`.execute(db))
}

/** Whether a row is still as it was left; it is locked, so that it stays so. */
async function isAs({ db, table }: At, which: RawBuilder<unknown>, image: Image): Promise<boolean> {
  const { rows } = await sql<{ is_as: boolean }>`
    select to_jsonb(t) - ${generated}::text = ${JSON.stringify(image)}::jsonb as is_as from ${sql.table(table)} t where ${which} for update`.execute(db)
  return rows[0]?.is_as === true
}

function changed({ numAffectedRows }: { numAffectedRows?: bigint | undefined }): boolean {
  return numAffectedRows === 1n
}

async function change({ db, school_id, table }: At, id: number, patch: Image): Promise<Image> {
  await sql`update ${sql.table(table)} t set ${assigned(Object.keys(patch))} from ${saidOf(table, patch)} where t.school_id = ${school_id} and t.id = ${id}`.execute(db)
  return imageOf({ db, school_id, table }, id)
}

async function insert({ db, school_id, table }: Omit<At, 'column'>, image: Image): Promise<Image> {
  const names = sql.join(Object.keys(image).map(name => sql.ref(name)))
  const { rows } = await sql<{ id: number }>`
    insert into ${sql.table(table)} as t (${names}) select ${names} from jsonb_populate_record(null::${sql.table(table)}, ${JSON.stringify(image)}::jsonb)
    returning t.id`.execute(db)
  return imageOf({ db, school_id, table }, rows[0]?.id)
}

/** A row that was just written; what it returns by itself holds no function that asks the session. */
async function imageOf({ db, school_id, table }: Omit<At, 'column'>, id: number | undefined): Promise<Image> {
  const { rows } = await sql<{ image: unknown }>`
    select to_jsonb(t) - ${generated}::text as image from ${sql.table(table)} t where t.school_id = ${school_id} and t.id = ${id}`.execute(db)
  return Image.parse(rows[0]?.image)
}

/** What a patch says, each column in its own type. */
function saidOf(table: string, patch: Image): RawBuilder<unknown> {
  return sql`jsonb_populate_record(null::${sql.table(table)}, ${JSON.stringify(patch)}::jsonb) said`
}

function assigned(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map(name => sql`${sql.ref(name)} = said.${sql.ref(name)}`))
}

/** How far the ids of these tables have got in a school. */
export async function highest(db: Db, school_id: number, tables: readonly string[]): Promise<Record<string, number>> {
  const found: Record<string, number> = {}
  for (const table of tables) {
    const { rows } = await sql<{ id: number }>`select coalesce(max(t.id), 0)::int as id from ${sql.table(table)} t where t.school_id = ${school_id}`.execute(db)
    found[table] = rows[0]?.id ?? 0
  }
  return found
}

/** How many rows of a person were born after that id. */
export async function bornSince(db: Db, school_id: number, { table, column }: { table: string; column: string }, user_id: string, id: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from ${sql.table(table)} t where t.school_id = ${school_id} and t.${sql.ref(column)} = ${user_id} and t.id > ${id}`.execute(db)
  return rows[0]?.n ?? 0
}
