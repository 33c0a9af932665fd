import { ensureUsers } from '@campus/identity/server'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../db.ts'
import { openIdNo, sealIdNo } from '../id-number.ts'
import type { IdKeys } from '../id-number.ts'
import { field_facts, field_tables } from './field.facts.ts'
import type { FieldFact } from './field.facts.ts'
import { readFiles, sameValue } from './field.values.ts'
import type { FileRows } from './field.values.ts'

type Pair = { school_id: number; keep_user_id: string; drop_user_id: string }
type Writer = { by: string; at: Date }

/** What the kept person had before values of the other one were taken, by field; the sealed identity number is kept apart. */
export const FieldImage = z.record(z.string(), z.record(z.string(), z.unknown()))
export type FieldImage = z.output<typeof FieldImage>

/** Never in an image: it is sealed, or made from what is. */
const sealed_columns: ReadonlySet<string> = new Set(['id_no_enc', 'id_no_idx', 'id_no_mask'])

/** Marks the merged person as merged, and whoever was merged into him before as merged into the kept one. @returns those */
export async function markMerged(db: Db, { school_id, keep_user_id, drop_user_id }: Pair, { by, at }: Writer): Promise<string[]> {
  await sql`
    update person set status = 'merged', merged_into = ${keep_user_id}, row_version = row_version + 1, updated_at = ${at}, updated_by = ${by}
    where school_id = ${school_id} and user_id = ${drop_user_id}`.execute(db)
  const { rows } = await sql<{ user_id: string }>`
    update person set merged_into = ${keep_user_id} where school_id = ${school_id} and merged_into = ${drop_user_id} returning user_id`.execute(db)
  return rows.map(row => row.user_id)
}

/** Takes the chosen values of the merged person over; numbers of the register change places. @returns what the kept person had */
export async function takeFields(db: Db, pair: Pair, files: { keep: FileRows; drop: FileRows }, taken: readonly FieldFact[], { by, at }: Writer): Promise<{ image: FieldImage; kept_id_no_enc: Buffer | null }> {
  const { school_id, keep_user_id, drop_user_id } = pair
  const { rows } = await sql<{ id_no_enc: Buffer | null }>`select id_no_enc from person where school_id = ${school_id} and user_id = ${keep_user_id}`.execute(db)
  const takes_id = taken.some(fact => fact.field === 'id_no')
  for (const table of field_tables) {
    const facts = taken.filter(fact => fact.table === table && !fact.unique)
    const columns = facts.flatMap(fact => fact.columns)
    if (columns.length === 0) continue
    const pairs = sql.join(columns.map(column => sql`${sql.ref(column)} = d.${sql.ref(column)}`))
    await sql`update ${sql.table(table)} k set ${pairs} from ${sql.table(table)} d
      where k.school_id = ${school_id} and k.user_id = ${keep_user_id} and d.school_id = ${school_id} and d.user_id = ${drop_user_id}`.execute(db)
  }
  for (const fact of taken.filter(one => one.unique)) await swapNumbers(db, pair, fact, files)
  await sql`update person set row_version = row_version + 1, updated_at = ${at}, updated_by = ${by} where school_id = ${school_id} and user_id = ${keep_user_id}`.execute(db)
  const image = Object.fromEntries(taken.map(fact => [fact.field, imageOf(fact, files)]))
  return { image, kept_id_no_enc: takes_id ? (rows[0]?.id_no_enc ?? null) : null }
}

function imageOf({ table, columns, unique }: FieldFact, { keep, drop }: { keep: FileRows; drop: FileRows }): Record<string, unknown> {
  const had = Object.fromEntries(columns.filter(column => !sealed_columns.has(column)).map(column => [column, keep.get(table)?.[column] ?? null]))
  return unique ? { ...had, taken: drop.get(table)?.[columns[0] ?? ''] ?? null } : had
}

/** Each of the two has the other's number afterwards: none of them is free for somebody else. */
async function swapNumbers(db: Db, pair: Pair, fact: FieldFact, { keep, drop }: { keep: FileRows; drop: FileRows }): Promise<void> {
  const column = fact.columns[0] ?? fact.field
  const [mine, theirs] = [keep.get(fact.table)?.[column] ?? null, drop.get(fact.table)?.[column] ?? null]
  await writeNumber(db, pair, fact, pair.drop_user_id, aside(fact, pair.drop_user_id))
  await writeNumber(db, pair, fact, pair.keep_user_id, theirs)
  await writeNumber(db, pair, fact, pair.drop_user_id, mine)
}

/** A number of nobody, for the moment in which two change places; none where the column may be empty. */
function aside({ field }: FieldFact, user_id: string): string | null {
  return field === 'school_roll_no' ? null : `M${user_id}`
}

async function writeNumber(db: Db, { school_id }: Pair, { table, columns, field }: FieldFact, user_id: string, value: unknown): Promise<void> {
  await sql`update ${sql.table(table)} set ${sql.ref(columns[0] ?? field)} = ${value} where school_id = ${school_id} and user_id = ${user_id}`.execute(db)
}

/**
 * Gives the kept person back what he had, and the merged one his number; a value that was changed since stays.
 * @returns the labels of the fields that stay
 */
export async function returnFields(db: Db, keys: IdKeys, pair: Pair, had: { image: FieldImage; kept_id_no_enc: Buffer | null }, { by, at }: Writer): Promise<string[]> {
  const { school_id, keep_user_id, drop_user_id } = pair
  const files = await readFiles(db, school_id, [keep_user_id, drop_user_id])
  const [keep, drop] = [files.get(keep_user_id), files.get(drop_user_id)]
  const left: string[] = []
  for (const fact of field_facts.filter(one => had.image[one.field] !== undefined)) {
    const [mine, theirs] = [keep?.get(fact.table), drop?.get(fact.table)]
    const image = had.image[fact.field] ?? {}
    const is_same = fact.unique ? mine?.[fact.columns[0] ?? ''] === image.taken : mine !== undefined && theirs !== undefined && sameValue({ school_id, secrets: keys }, fact, mine, theirs)
    if (is_same) await giveBack(db, keys, pair, fact, { image, kept_id_no_enc: had.kept_id_no_enc })
    else left.push(fact.label)
    if (fact.unique && !is_same) await writeNumber(db, pair, fact, drop_user_id, image.taken)
  }
  for (const user_id of [keep_user_id, drop_user_id]) await sql`update person set row_version = row_version + 1, updated_at = ${at}, updated_by = ${by} where school_id = ${school_id} and user_id = ${user_id}`.execute(db)
  return left
}

async function giveBack(db: Db, keys: IdKeys, pair: Pair, fact: FieldFact, { image, kept_id_no_enc }: { image: Record<string, unknown>; kept_id_no_enc: Buffer | null }): Promise<void> {
  const { school_id, keep_user_id, drop_user_id } = pair
  if (fact.unique) {
    await writeNumber(db, pair, fact, keep_user_id, aside(fact, keep_user_id))
    await writeNumber(db, pair, fact, drop_user_id, image.taken)
    await writeNumber(db, pair, fact, keep_user_id, image[fact.columns[0] ?? ''])
    return
  }
  const columns = fact.columns.filter(column => !sealed_columns.has(column))
  const said = sql`jsonb_populate_record(null::${sql.table(fact.table)}, ${JSON.stringify(image)}::jsonb)`
  const values = sql.join(columns.map(column => sql`${sql.ref(column)} = (${said}).${sql.ref(column)}`))
  await sql`update ${sql.table(fact.table)} set ${values} where school_id = ${school_id} and user_id = ${keep_user_id}`.execute(db)
  if (fact.field !== 'id_no') return
  const sealed = kept_id_no_enc ? sealIdNo(keys, school_id, openIdNo(keys, school_id, kept_id_no_enc)) : { id_no_enc: null, id_no_idx: null, id_no_mask: null }
  await db.updateTable('person').set(sealed).where('school_id', '=', school_id).where('user_id', '=', keep_user_id).execute()
}

/** Tells identity the names and numbers of both as the files now have them; both must be here. Numbers that change places go aside first. */
export async function copyNames(db: Db, { school_id, keep_user_id, drop_user_id }: Pair): Promise<void> {
  const { rows } = await sql<{ user_id: string; user_no: string; user_name: string; user_kind: number; user_photo: string | null; old_no: string; old_name: string }>`
    select p.user_id, coalesce(s.student_no, f.teacher_no, 'P' || p.user_id) as user_no, p.user_name, u.user_kind, u.user_photo, u.user_no as old_no, u.user_name as old_name
    from person p join school_user_v u on u.school_id = p.school_id and u.user_id = p.user_id
    left join student s on s.school_id = p.school_id and s.user_id = p.user_id left join staff f on f.school_id = p.school_id and f.user_id = p.user_id
    where p.school_id = ${school_id} and u.school_id = ${school_id} and p.user_id = any(${[keep_user_id, drop_user_id]}::bigint[])`.execute(db)
  const other = rows.filter(row => row.user_no !== row.old_no || row.user_name !== row.old_name).map(({ user_id, user_no, user_name, user_kind, user_photo, old_no }) => ({ user: { user_id, user_no, user_name, user_kind, user_photo }, is_moved: user_no !== old_no }))
  for (const { user, is_moved } of other) if (is_moved) await ensureUsers(db, school_id, [{ ...user, user_no: `M${user.user_id}` }])
  if (other.length > 0) await ensureUsers(db, school_id, other.map(({ user }) => user))
}
