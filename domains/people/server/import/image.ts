import { createHmac } from 'node:crypto'
import { usedUsers, userImages } from '@campus/identity/server'
import { sql } from 'kysely'
import { z } from 'zod'
import { oneOf } from '../dated.ts'
import type { Db } from '../db.ts'
import { keyObject } from '../key-object.ts'

/**
 * What an import row writes to, in parts that later changes concern apart from each other; a key is the kind and the user id.
 * `s` person, pupil and display copy · `c` state and class of a pupil · `l` guardian links of a pupil · `p` person, parent and display
 * copy · `f` person, staff and display copy · `w` states and duties of staff · `v` plates · `u` whatever else depends on a person the batch made (no image, only a mark).
 */
export type PartKind = 's' | 'c' | 'l' | 'p' | 'f' | 'w' | 'v' | 'u'

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
  f: [['person', 'user_id'], ['staff', 'user_id']],
  w: [['staff_span', 'user_id'], ['dept_duty', 'user_id']],
  v: [['person_vehicle', 'user_id']],
} as const satisfies Record<Exclude<PartKind, 'u'>, readonly (readonly [string, string])[]>

/** Parts that are absent where there is no person. */
const with_person: ReadonlySet<PartKind> = new Set(['s', 'p', 'f'])
/** Generated columns follow from the others. */
const generated: ReadonlySet<string> = new Set(['valid', 'mobile_tail', 'tel_tail', 'name_key', 'student_no_lower', 'teacher_no_lower'])
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
  const kinds = await Promise.all(kindsIn(keys).map(({ kind, ids }) => imagesOfKind(db, school_id, kind, ids)))
  return new Map(kinds.flatMap(images => [...images]))
}

type Kind = Exclude<PartKind, 'u'>

function kindsIn(keys: readonly string[]): { kind: Kind; ids: string[] }[] {
  return (['s', 'p', 'f', 'c', 'l', 'w', 'v'] as const).map(kind => ({ kind, ids: [...new Set(idsOf(kind, keys))] })).filter(({ ids }) => ids.length > 0)
}

/** Kinds and their tables are asked for all at once: while the database works at one, the answer before is read. */
async function imagesOfKind(db: Db, school_id: number, kind: Kind, ids: readonly string[]): Promise<Map<string, Image>> {
  const images = new Map<string, Image>(ids.map(id => [partKey(kind, id), {}]))
  const found = await Promise.all([...tables[kind].map(([table, column]) => readRows(db, school_id, table, column, ids)), readUsers(db, school_id, kind, ids)])
  for (const { table, rows } of found) for (const [id, list] of rows) placed(images, partKey(kind, id))[table] = list
  return new Map([...images].filter(([, image]) => !with_person.has(kind) || image.person))
}

type Found = { table: string; rows: Map<string, ImageRow[]> }

function placed(images: Map<string, Image>, key: string): Image {
  const image = images.get(key) ?? {}
  images.set(key, image)
  return image
}

async function readRows(db: Db, school_id: number, table: string, column: string, ids: readonly string[]): Promise<Found> {
  const { rows } = await sql<{ id: string; image: ImageRow }>`
    select t.${sql.ref(column)}::text as id, row_to_json(t) as image
    from ${sql.table(table)} t where t.school_id = ${school_id} and ${oneOf(`t.${column}`, ids)}`.execute(db)
  const columns = imageColumns(rows[0]?.image ?? {})
  const lists = new Map<string, ImageRow[]>()
  for (const { id, image } of rows.toSorted((a, b) => Number(a.image.id ?? 0) - Number(b.image.id ?? 0))) {
    const list = lists.get(id) ?? []
    list.push(withoutNulls(image, columns))
    lists.set(id, list)
  }
  return { table, rows: lists }
}

/** Columns of an image in the order of jsonb, shortest first, which marks keep whatever the order in the table; json is the cheaper one to ask for. */
function imageColumns(row: ImageRow): string[] {
  const by_name = Object.keys(row).filter(column => !generated.has(column)).toSorted()
  return by_name.toSorted((a, b) => a.length - b.length)
}

/** A column that a later release adds is null in old rows, and then no change. */
function withoutNulls(row: ImageRow, columns: readonly string[]): ImageRow {
  const kept: ImageRow = {}
  for (const column of columns) if (row[column] !== null) kept[column] = row[column]
  return kept
}

async function readUsers(db: Db, school_id: number, kind: PartKind, ids: readonly string[]): Promise<Found> {
  if (!with_person.has(kind)) return { table: user_table, rows: new Map() }
  return { table: user_table, rows: new Map([...(await userImages(db, school_id, ids))].map(([id, user]) => [id, [user]])) }
}

type Marking = { db: Db; school_id: number; batch_no: string; mark_key: Buffer }

/** Marks of these parts as they stand: a keyed hash of the image; of `u`, of what depends on the person beside the batch itself. */
export async function marksOf({ db, school_id, batch_no, mark_key }: Marking, keys: readonly string[]): Promise<Map<string, string>> {
  const marksOfKind = async ({ kind, ids }: { kind: Kind; ids: string[] }) => {
    const images = await imagesOfKind(db, school_id, kind, ids)
    return [...images].map(([key, image]) => [key, markOf(mark_key, key, image)] as const)
  }
  const marksOfUses = async (ids: readonly string[]) => {
    const uses = ids.length === 0 ? [] : await usesOf(db, school_id, batch_no, ids)
    return [...uses].map(([id, use]) => [partKey('u', id), markOf(mark_key, id, use)] as const)
  }
  // The marks of one kind are made while the database reads the next one.
  const marks = await Promise.all([...kindsIn(keys).map(marksOfKind), marksOfUses(idsOf('u', keys))])
  return new Map(marks.flat())
}

export function markOf(mark_key: Buffer, key: string, value: unknown): string {
  return createHmac('sha256', keyObject(mark_key)).update(`people.import_mark\n${key}\n${JSON.stringify(value)}`).digest('base64url').slice(0, 16)
}

/** What hangs on people whom the batch made: their account, other facets, links that another hand made. */
async function usesOf(db: Db, school_id: number, batch_no: string, user_ids: readonly string[]): Promise<Map<string, unknown>> {
  const used = await usedUsers(db, school_id, user_ids)
  // One plain query a table: what an import fills the planner knows nothing about yet.
  const of = (column: string) => sql`t.school_id = ${school_id} and ${oneOf(`t.${column}`, user_ids)}`
  const { rows } = await sql<{ facet: string; user_id: string; links: string }>`
    select 'person' as facet, t.user_id, 0 as links from person t where ${of('user_id')}
    union all select 'student', t.user_id, 0 from student t where ${of('user_id')}
    union all select 'staff', t.user_id, 0 from staff t where ${of('user_id')}
    union all select 'parent', t.user_id, 0 from parent t where ${of('user_id')}
    union all select 'link', t.parent_user_id, count(*) from guardian_link t where ${of('parent_user_id')} and t.batch_no is distinct from ${batch_no} group by t.parent_user_id`.execute(db)
  const found = Map.groupBy(rows, row => row.facet)
  const having = (facet: string) => new Set(found.get(facet)?.map(row => row.user_id))
  const [students, staff, parents] = [having('student'), having('staff'), having('parent')]
  const links = new Map(found.get('link')?.map(row => [row.user_id, row.links]))
  const usesOfOne = (id: string) => ({ is_student: students.has(id), is_staff: staff.has(id), is_parent: parents.has(id), links: links.get(id) ?? '0', is_used: used.has(id) })
  return new Map(found.get('person')?.map(({ user_id }) => [user_id, usesOfOne(user_id)]))
}

/** Keeps the people of these parts as they are until the transaction ends. */
export async function lockParts(db: Db, school_id: number, keys: readonly string[]): Promise<void> {
  const ids = [...new Set(keys.map(key => key.slice(2)))]
  await sql`select from person p where p.school_id = ${school_id} and ${oneOf('p.user_id', ids)} order by p.user_id for update`.execute(db)
}
