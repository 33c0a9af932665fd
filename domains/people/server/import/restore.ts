import { removeUsers, restoreUsers } from '@campus/identity/server'
import { sql } from 'kysely'
import { z } from 'zod'
import { chunks } from '../bulk.ts'
import { oneOf } from '../dated.ts'
import type { Db } from '../db.ts'
import { idsOf, user_table } from './image.ts'
import type { Image, ImageRow } from './image.ts'

/** A part on its way back: how it stood (null: it was not there) and how it stands. */
export type Part = { key: string; before: Image | null; current: Image | null }

const User = z.object({
  user_no: z.string(), user_name: z.string(), user_photo: z.string().nullable(), user_kind: z.number(), left_at: z.string().nullable(), updated_at: z.string(),
})

const dated = ['guardian_link', 'dept_member', 'student_span', 'dept_duty', 'staff_span', 'person_vehicle'] as const
/** Facets before the person they belong to, when they go; the person first, when they return. */
const facets = ['student', 'staff', 'parent', 'person'] as const

/**
 * Brings parts back to their images, every column included. Rows of spans, classes and links that differ go first, since at no
 * moment may two of them hold at once; then people vanish or return; then the old rows come back under their own ids.
 */
export async function restoreParts(db: Db, school_id: number, parts: readonly Part[]): Promise<void> {
  for (const table of dated) await deleteDiffering(db, school_id, table, parts)
  const gone = parts.flatMap(part => (isMade(part) ? [...idsOf('s', [part.key]), ...idsOf('p', [part.key]), ...idsOf('f', [part.key])] : []))
  await dropPairs(db, school_id, gone)
  await forgetPeople(db, school_id, gone)
  for (const table of facets) await deleteMade(db, school_id, table, parts)
  await removeUsers(db, school_id, gone)
  const columns = await columnsOf(db)
  for (const table of facets.toReversed()) await writeRows(db, table, columns.get(table) ?? [], missing(table, parts))
  await restoreUsers(db, school_id, displayCopies(parts))
  for (const table of dated) await writeRows(db, table, columns.get(table) ?? [], missing(table, parts))
}

/** A registration that was answered by somebody who vanishes is answered by none: the key itself does not let go of him on a Citus cluster. */
async function forgetPeople(db: Db, school_id: number, gone: readonly string[]): Promise<void> {
  for (const part of chunks(gone)) {
    await db.updateTable('register_entry').set({ match_user_id: null }).where('school_id', '=', school_id).where(oneOf('match_user_id', part)).execute()
    await db.updateTable('freshmen_apply').set({ user_id: null }).where('school_id', '=', school_id).where(oneOf('user_id', part)).execute()
  }
}

/** That somebody may be one human being with who vanishes says nothing any more. */
async function dropPairs(db: Db, school_id: number, gone: readonly string[]): Promise<void> {
  if (gone.length === 0) return
  await db
    .deleteFrom('merge_case')
    .where('school_id', '=', school_id)
    .where('state', '<>', 'merged')
    .where(eb => eb.or([oneOf('a_user_id', gone), oneOf('b_user_id', gone)]))
    .execute()
}

function isMade({ before, current }: Part): boolean {
  return before === null && current !== null
}

/** Rows of a table that stand in one image and not, or not so, in the other. */
function differing(table: string, from: Image | null, other: Image | null): ImageRow[] {
  const known = new Set((other?.[table] ?? []).map(row => JSON.stringify(row)))
  return (from?.[table] ?? []).filter(row => !known.has(JSON.stringify(row)))
}

function missing(table: string, parts: readonly Part[]): ImageRow[] {
  return parts.flatMap(({ before, current }) => differing(table, before, current))
}

async function deleteDiffering(db: Db, school_id: number, table: (typeof dated)[number], parts: readonly Part[]): Promise<void> {
  const ids = parts.flatMap(({ before, current }) => differing(table, current, before).map(row => String(row.id)))
  for (const part of chunks(ids)) await db.deleteFrom(table).where('school_id', '=', school_id).where(oneOf('id', part)).execute()
}

async function deleteMade(db: Db, school_id: number, table: (typeof facets)[number], parts: readonly Part[]): Promise<void> {
  const ids = parts.flatMap(({ before, current }) => (before?.[table] ? [] : (current?.[table] ?? []).map(row => String(row.user_id))))
  for (const part of chunks(ids)) await db.deleteFrom(table).where('school_id', '=', school_id).where(oneOf('user_id', part)).execute()
}

function displayCopies(parts: readonly Part[]): Map<string, z.output<typeof User>> {
  return new Map(parts.flatMap(({ key, before, current }) => differing(user_table, before, current).map(row => [key.slice(2), User.parse(row)] as const)))
}

type Column = { name: string; type: string }

/** Columns of the tables that can be written. */
async function columnsOf(db: Db): Promise<Map<string, Column[]>> {
  const { rows } = await sql<Column & { table_name: string }>`
    select table_name::text, column_name::text as name, data_type::text as type from information_schema.columns
    where table_schema = 'public' and is_generated = 'NEVER' and table_name = any(${[...dated, ...facets]}::text[])
    order by ordinal_position`.execute(db)
  return Map.groupBy(rows, row => row.table_name)
}

async function writeRows(db: Db, table: string, columns: readonly Column[], rows: readonly ImageRow[]): Promise<void> {
  const names = sql.join(columns.map(({ name }) => sql.ref(name)))
  const key = rows[0]?.id === undefined ? 'user_id' : 'id'
  const changes = sql.join(columns.filter(({ name }) => name !== 'school_id').map(({ name }) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`))
  for (const part of chunks(rows)) {
    const lines = part.map(row => sql`(${sql.join(columns.map(({ name, type }) => stored(row[name], type)))})`)
    await sql`
      insert into ${sql.table(table)} (${names}) values ${sql.join(lines)}
      on conflict (school_id, ${sql.ref(key)}) do update set ${changes}`.execute(db)
  }
}

/** A value of an image as its column takes it: bytes stand there as `\x…`, JSON as itself. */
function stored(value: unknown, type: string): unknown {
  if (value === undefined || value === null) return null
  if (type === 'bytea') return Buffer.from(String(value).slice(2), 'hex')
  return type === 'jsonb' ? JSON.stringify(value) : value
}
