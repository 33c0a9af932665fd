import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { isIn, oneOf, validOn } from './dated.ts'
import type { Db } from './db.ts'
import { inScope } from './scope.ts'
import type { DeptScope } from './scope.ts'

/** Whom a reader may see on a day: pupils and parents by the student tree, staff by theirs. */
export type Seen = { school_id: number; on: string; student: DeptScope; staff: DeptScope }
export type TagRecord = Awaited<ReturnType<typeof readTags>>[number]

/** The school's tags in order; sensitive ones only for those who may know of them. */
export function readTags(db: Db, school_id: number, sees_sensitive: boolean) {
  return db
    .selectFrom('tag')
    .selectAll()
    .where('school_id', '=', school_id)
    .$if(!sees_sensitive, query => query.where('is_sensitive', '=', false))
    .orderBy('archived')
    .orderBy('order_no')
    .orderBy('id')
    .execute()
}

/** One tag; `lock` keeps it until the transaction ends. */
export function oneTag(db: Db, { school_id, id, lock }: { school_id: number; id: string; lock: boolean }) {
  return db.selectFrom('tag').selectAll().where('school_id', '=', school_id).where('id', '=', id).$if(lock, query => query.forUpdate()).executeTakeFirst()
}

/** Was the tag ever on somebody? */
export async function wasUsed(db: Db, school_id: number, tag_id: string): Promise<boolean> {
  return (await db.selectFrom('tag_link').select('id').where('school_id', '=', school_id).where('tag_id', '=', tag_id).limit(1).executeTakeFirst()) !== undefined
}

/** People at school today whom the reader may see; a teacher who is a parent stands here twice. */
export function visible({ school_id, on, student, staff }: Seen): RawBuilder<unknown> {
  const children = sql`select g.parent_user_id from guardian_link g join dept_member m on m.school_id = g.school_id and m.user_id = g.student_user_id
    where g.school_id = ${school_id} and m.school_id = ${school_id} and m.member_kind = 'student' and ${validOn('g', on)} and ${validOn('m', on)} and ${inScope('m.dept_id', student)}`
  const members = sql`select m.user_id from dept_member m
    where m.school_id = ${school_id} and m.member_kind = 'staff' and ${validOn('m', on)} and ${inScope('m.dept_id', staff)}`
  return sql`
    select l.user_id, l.person_kind, l.user_name, l.user_no, l.label_dept_id from live_person l
    where l.school_id = ${school_id} and (
      (l.person_kind = 1 and ${inScope('l.label_dept_id', student)})
      or (l.person_kind = 3 and ${student === 'all' ? sql`true` : isIn('l.user_id', children)})
      or (l.person_kind not in (1, 3) and ${staff === 'all' ? sql`true` : isIn('l.user_id', members)}))`
}

/** How many visible people have each tag given by hand. */
export async function countTagged(db: Db, seen: Seen): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ tag_id: string; count: number }>`
    select k.tag_id, count(distinct k.user_id)::int as count
    from tag_link k join tag t on t.school_id = k.school_id and t.id = k.tag_id
    join (${visible(seen)}) l on l.user_id = k.user_id and l.person_kind = any(t.person_kinds)
    where k.school_id = ${seen.school_id} and t.school_id = ${seen.school_id} and ${validOn('k', seen.on)}
    group by k.tag_id`.execute(db)
  return new Map(rows.map(row => [row.tag_id, row.count]))
}

type TaggedPerson = { user_id: string; person_kind: number; user_name: string; user_no: string; label_dept_id: string | null; tagged_on: string; total: number }

/** One page of the visible people who have a tag given by hand, by number. */
export async function pageTagged(db: Db, seen: Seen, tag: Pick<TagRecord, 'id' | 'person_kinds'>, { limit, offset }: { limit: number; offset: number }): Promise<TaggedPerson[]> {
  const { rows } = await sql<TaggedPerson>`
    select x.*, count(*) over ()::int as total from (
      select distinct on (l.user_id) l.user_id, l.person_kind, l.user_name, l.user_no, l.label_dept_id, k.valid_from as tagged_on
      from tag_link k join (${visible(seen)}) l on l.user_id = k.user_id and l.person_kind = any(${tag.person_kinds}::smallint[])
      where k.school_id = ${seen.school_id} and k.tag_id = ${tag.id} and ${validOn('k', seen.on)}
      order by l.user_id, l.person_kind) x
    order by x.person_kind, x.user_no limit ${limit} offset ${offset}`.execute(db)
  return rows
}

/** These people as the reader sees them; who is missing is no business of his. */
export async function visiblePeople(db: Db, seen: Seen, user_ids: readonly string[]) {
  const { rows } = await sql<Omit<TaggedPerson, 'tagged_on' | 'total'>>`select l.* from (${visible(seen)}) l where ${oneOf('l.user_id', user_ids)} order by l.user_id, l.person_kind`.execute(db)
  return rows
}

/** Gives a tag from a day on; who has it already keeps it. Returns whom it is new to. */
export async function linkTag(db: Db, { school_id, on }: Seen, tag_id: string, user_ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .insertInto('tag_link')
    .values(user_ids.map(user_id => ({ school_id, tag_id, user_id, valid_from: on })))
    .onConflict(conflict => conflict.doNothing())
    .returning('user_id')
    .execute()
  return rows.map(row => row.user_id)
}

/** Takes a tag away from a day on; what was given on that very day was never given. Returns who had it. */
export async function unlinkTag(db: Db, { school_id, on }: Seen, tag_id: string, user_ids: readonly string[]): Promise<string[]> {
  const fresh = await db
    .deleteFrom('tag_link as k')
    .where('k.school_id', '=', school_id)
    .where('k.tag_id', '=', tag_id)
    .where(oneOf('k.user_id', user_ids))
    .where('k.valid_from', '=', on)
    .where('k.valid_to', 'is', null)
    .returning('k.user_id')
    .execute()
  const older = await db
    .updateTable('tag_link as k')
    .set({ valid_to: on })
    .where('k.school_id', '=', school_id)
    .where('k.tag_id', '=', tag_id)
    .where(oneOf('k.user_id', user_ids))
    .where(validOn('k', on))
    .returning('k.user_id')
    .execute()
  return [...fresh, ...older].map(row => row.user_id)
}

/** The tags these people had by hand on a day, in the order of the tags. */
export function marksOf(db: Db, school_id: number, user_ids: readonly string[], on: string) {
  return db
    .selectFrom('tag_link as k')
    .innerJoin('tag as t', join => join.onRef('t.school_id', '=', 'k.school_id').onRef('t.id', '=', 'k.tag_id'))
    .select(['k.user_id', 't.id', 't.tag_name', 't.color', 't.is_sensitive'])
    .where('k.school_id', '=', school_id)
    .where('t.school_id', '=', school_id)
    .where('t.archived', '=', false)
    .where(oneOf('k.user_id', user_ids))
    .where(validOn('k', on))
    .orderBy('t.order_no')
    .orderBy('t.id')
    .execute()
}
