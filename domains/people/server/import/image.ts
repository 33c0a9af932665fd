import { createHmac } from 'node:crypto'
import { usedUsers, userImages } from '@campus/identity/server'
import { sql } from 'kysely'
import { z } from 'zod'
import { oneOf } from '../dated.ts'
import type { Db } from '../db.ts'

/**
 * What an import row writes to, in parts that later changes concern apart from each other; a key is the kind and the user id.
 * `s` person, pupil and display copy · `c` state and class of a pupil · `l` guardian links of a pupil · `p` person, parent and display
 * copy · `u` whatever else depends on a person the batch made (no image, only a mark).
 */
export type PartKind = 's' | 'c' | 'l' | 'p' | 'u'

export const Image = z.record(z.string(), z.array(z.record(z.string(), z.unknown())))
/** Rows by table, exactly as they stand; columns that are null are left out. */
export type Image = z.output<typeof Image>
export type ImageRow = Image[string][number]

/** Tables of a part by the column that names its person; the first one holds the part itself. */
const tables = {
  s: [['person', 'user_id'], ['student', 'user_id']],
  p: [['person', 'user_id'], ['parent', 'user_id']],
  c: [['student_span', 'user_id'], ['dept_member', 'user_id']],
  l: [['guardian_link', 'student_user_id']],
} as const satisfies Record<Exclude<PartKind, 'u'>, readonly (readonly [string, string])[]>

/** Generated columns follow from the others. */
const generated = ['valid', 'mobile_tail', 'tel_tail']
/** Table under which a part keeps identity's display copy. */
export const user_table = 'school_user'

export function partKey(kind: PartKind, user_id: string): string {
  return `${kind}:${user_id}`
}

/** The user ids of one kind among these keys. */
export function idsOf(kind: PartKind, keys: readonly string[]): string[] {
  return keys.flatMap(key => (key.startsWith(`${kind}:`) ? key.slice(2) : []))
}

/** How these parts stand; a part `s` or `p` whose person does not exist is absent. */
export async function imagesOf(db: Db, school_id: number, keys: readonly string[]): Promise<Map<string, Image>> {
  const images = new Map<string, Image>()
  for (const kind of ['s', 'p', 'c', 'l'] as const) {
    const ids = [...new Set(idsOf(kind, keys))]
    if (ids.length === 0) continue
    for (const id of ids) images.set(partKey(kind, id), {})
    for (const [table, column] of tables[kind]) await readRows(db, school_id, { kind, table, column, ids, images })
    if (kind === 's' || kind === 'p') await readUsers(db, school_id, kind, ids, images)
  }
  return new Map([...images].filter(([key, image]) => !/^[sp]/.test(key) || image.person))
}

type Reading = { kind: PartKind; table: string; column: string; ids: readonly string[]; images: Map<string, Image> }

async function readRows(db: Db, school_id: number, { kind, table, column, ids, images }: Reading): Promise<void> {
  const { rows } = await sql<{ id: string; image: ImageRow }>`
    select t.${sql.ref(column)}::text as id, to_jsonb(t) - ${generated}::text[] as image
    from ${sql.table(table)} t where t.school_id = ${school_id} and ${oneOf(`t.${column}`, ids)}`.execute(db)
  for (const { id, image } of rows.toSorted((a, b) => Number(a.image.id ?? 0) - Number(b.image.id ?? 0))) {
    const whole = images.get(partKey(kind, id))
    if (whole) (whole[table] ??= []).push(withoutNulls(image))
  }
}

/** A column that a later release adds is null in old rows, and then no change. */
function withoutNulls(row: ImageRow): ImageRow {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))
}

async function readUsers(db: Db, school_id: number, kind: PartKind, ids: readonly string[], images: Map<string, Image>): Promise<void> {
  for (const [id, user] of await userImages(db, school_id, ids)) {
    const whole = images.get(partKey(kind, id))
    if (whole) whole[user_table] = [user]
  }
}

type Marking = { db: Db; school_id: number; batch_no: string; mark_key: Buffer }

/** Marks of these parts as they stand: a keyed hash of the image; of `u`, of what depends on the person beside the batch itself. */
export async function marksOf({ db, school_id, batch_no, mark_key }: Marking, keys: readonly string[]): Promise<Map<string, string>> {
  const images = await imagesOf(db, school_id, keys)
  const marks = new Map([...images].map(([key, image]) => [key, markOf(mark_key, key, image)]))
  const made = idsOf('u', keys)
  if (made.length === 0) return marks
  for (const [id, uses] of await usesOf(db, school_id, batch_no, made)) marks.set(partKey('u', id), markOf(mark_key, id, uses))
  return marks
}

export function markOf(mark_key: Buffer, key: string, value: unknown): string {
  return createHmac('sha256', mark_key).update(`people.import_mark\n${key}\n${JSON.stringify(value)}`).digest('base64url').slice(0, 16)
}

/** What hangs on people whom the batch made: their account, other facets, links that another hand made. */
async function usesOf(db: Db, school_id: number, batch_no: string, user_ids: readonly string[]): Promise<Map<string, unknown>> {
  const used = await usedUsers(db, school_id, user_ids)
  const { rows } = await sql<{ user_id: string; is_student: boolean; is_staff: boolean; is_parent: boolean; links: string }>`
    select p.user_id,
      exists (select from student s where s.school_id = ${school_id} and s.user_id = p.user_id) as is_student,
      exists (select from staff s where s.school_id = ${school_id} and s.user_id = p.user_id) as is_staff,
      exists (select from parent s where s.school_id = ${school_id} and s.user_id = p.user_id) as is_parent,
      (select count(*) from guardian_link g where g.school_id = ${school_id} and g.parent_user_id = p.user_id and g.batch_no is distinct from ${batch_no}) as links
    from person p where p.school_id = ${school_id} and ${oneOf('p.user_id', user_ids)}`.execute(db)
  return new Map(rows.map(({ user_id, ...uses }) => [user_id, { ...uses, is_used: used.has(user_id) }]))
}

/** Keeps the people of these parts as they are until the transaction ends. */
export async function lockParts(db: Db, school_id: number, keys: readonly string[]): Promise<void> {
  const ids = [...new Set(keys.map(key => key.slice(2)))]
  await sql`select from person p where p.school_id = ${school_id} and ${oneOf('p.user_id', ids)} order by p.user_id for update`.execute(db)
}
