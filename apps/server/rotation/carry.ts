import type { Database } from '@kit/server/db'
import type { SealedPart, SealedRow, Secrets } from '@kit/server/secrets'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'

const rows_at_once = 500

/** The work of one rotation: what is carried for whom, and what is told of it. */
export type Carrying = { database: Database; secrets: Secrets; rotation_no: number; told(line: string): void }
type Progress = { after: readonly string[] | null; carried: number; finished: boolean }

/**
 * Seals every value of one kind in one school anew, 500 rows a transaction, each with the place it has reached: broken off at any moment it goes on
 * behind the last row that was carried.
 */
export async function carryPart(work: Carrying, part: SealedPart, school_id: number): Promise<void> {
  for (;;) {
    const progress = await work.database.tenant<unknown, Progress>(school_id, db => carryPiece(db, work, part, school_id))
    if (progress.carried > 0) work.told(`${part.name} of school ${school_id}: ${progress.carried}${progress.finished ? ', done' : ''}`)
    if (progress.finished) return
  }
}

async function carryPiece(db: Kysely<unknown>, { secrets, rotation_no }: Carrying, part: SealedPart, school_id: number): Promise<Progress> {
  const known = await readProgress(db, rotation_no, part.name, school_id)
  if (known.finished) return { ...known, carried: 0 }
  const rows = await rowsBehind(db, part, school_id, known.after)
  let carried = 0
  for (const row of rows) {
    const values = carryRow(part, secrets, school_id, row)
    if (!values) continue
    await writeRow(db, part, school_id, row, values)
    carried += 1
  }
  const last = rows.at(-1)
  const progress: Progress = { after: last ? part.ids.map(([column]) => String(last[column])) : known.after, carried: known.carried + carried, finished: rows.length < rows_at_once }
  await saveProgress(db, { rotation_no, part: part.name, school_id }, progress)
  return progress
}

/** @throws Error naming the row, when neither today's key nor a former one opens it */
function carryRow(part: SealedPart, secrets: Secrets, school_id: number, row: SealedRow) {
  try {
    return part.carry(secrets, school_id, row)
  } catch (error) {
    const place = part.ids.map(([column]) => `${column} ${String(row[column])}`).join(', ')
    throw new Error(`${part.name} of school ${school_id}, ${place}, does not open with this key nor with one it replaced: see "when a key is lost" in docs/operators.md`, { cause: error })
  }
}

async function rowsBehind(db: Kysely<unknown>, { table, ids, columns }: SealedPart, school_id: number, after: readonly string[] | null): Promise<SealedRow[]> {
  const names = sql.join(ids.map(([column]) => sql.ref(column)))
  const texts = sql.join(ids.map(([column]) => sql`${sql.ref(column)}::text as ${sql.ref(column)}`))
  const others = columns.filter(column => !ids.some(([name]) => name === column))
  const place = after === null ? sql`` : sql`and (${names}) > (${sql.join(ids.map(([, type], at) => sql`${after[at] ?? null}::text::${sql.raw(type)}`))})`
  const some = sql.join(others.map(column => sql`${sql.ref(column)} is not null`), sql` or `)
  const order = sql.join(ids.map(([column]) => sql`${sql.ref(`t.${column}`)}`))
  const { rows } = await sql<SealedRow>`
    select ${texts}, ${sql.join(others.map(column => sql.ref(column)))} from ${sql.table(table)} t where school_id = ${school_id} and (${some}) ${place} order by ${order} limit ${rows_at_once} for update`.execute(db)
  return rows
}

async function writeRow(db: Kysely<unknown>, { table, ids }: SealedPart, school_id: number, row: SealedRow, values: Readonly<Record<string, Buffer | string>>): Promise<void> {
  const set = sql.join(Object.entries(values).map(([column, value]) => sql`${sql.ref(column)} = ${value}`))
  const same = sql.join(ids.map(([column, type]) => sql`${sql.ref(column)} = ${String(row[column])}::text::${sql.raw(type)}`), sql` and `)
  await sql`update ${sql.table(table)} set ${set} where school_id = ${school_id} and ${same}`.execute(db)
}

async function readProgress(db: Kysely<unknown>, rotation_no: number, part: string, school_id: number): Promise<Progress> {
  const { rows } = await sql<{ after: string[] | null; carried: number; finished: boolean }>`
    select after, carried, finished from key_rotation_step where rotation_no = ${rotation_no} and part = ${part} and of_school = ${school_id} for update`.execute(db)
  return rows[0] ?? { after: null, carried: 0, finished: false }
}

async function saveProgress(db: Kysely<unknown>, { rotation_no, part, school_id }: { rotation_no: number; part: string; school_id: number }, { after, carried, finished }: Progress): Promise<void> {
  const place = after === null ? null : JSON.stringify(after)
  await sql`
    insert into key_rotation_step (rotation_no, part, of_school, after, carried, finished) values (${rotation_no}, ${part}, ${school_id}, ${place}::jsonb, ${carried}, ${finished})
    on conflict (rotation_no, part, of_school) do update set after = excluded.after, carried = excluded.carried, finished = excluded.finished`.execute(db)
}
