import { sql } from 'kysely'
import type { Db } from '../db.ts'

type Named = Map<string, string>
const keyed = (rows: readonly { id: string; name: string | null }[]): Named => new Map(rows.map(({ id, name }) => [id, name ?? '']))

/** Names of people, who may have left. */
export async function personNames(db: Db, school_id: number, ids: readonly string[]): Promise<Named> {
  const { rows } = await sql<{ id: string; name: string }>`
    select p.user_id::text as id, p.display_name as name from person_label p where p.school_id = ${school_id}
      and p.user_id = any(${[...ids]}::bigint[])`.execute(
    db,
  )
  return keyed(rows)
}

/** Numbers of people. */
export async function personNumbers(db: Db, school_id: number, ids: readonly string[]): Promise<Named> {
  const { rows } = await sql<{ id: string; name: string }>`
    select u.user_id::text as id, u.user_no as name from school_user_v u where u.school_id = ${school_id}
      and u.user_id = any(${[...ids]}::bigint[])`.execute(
    db,
  )
  return keyed(rows)
}

/** The class or department that people are in, or were in last. */
export async function personDepts(db: Db, school_id: number, ids: readonly string[]): Promise<Named> {
  const { rows } = await sql<{ id: string; name: string | null }>`
    select p.user_id::text as id, p.last_dept_name as name from person_label p where p.school_id = ${school_id}
      and p.user_id = any(${[...ids]}::bigint[])`.execute(
    db,
  )
  return keyed(rows)
}

/** Names of places, closed ones too. */
export async function placeNames(db: Db, school_id: number, ids: readonly string[]): Promise<Named> {
  const { rows } = await sql<{ id: string; name: string }>`
    select p.place_id::text as id, p.place_name as name from place_path_v p where p.school_id = ${school_id}
      and p.place_id = any(${[...ids]}::bigint[])`.execute(
    db,
  )
  return keyed(rows)
}

/** Names of courses. */
export async function courseNames(db: Db, school_id: number, ids: readonly string[]): Promise<Named> {
  const { rows } = await sql<{ id: string; name: string }>`
    select c.course_id::text as id, c.course_name as name from course_name_v c where c.school_id = ${school_id}
      and c.course_id = any(${[...ids]}::bigint[])`.execute(
    db,
  )
  return keyed(rows)
}

/** Names of teaching classes. */
export async function classNames(db: Db, school_id: number, ids: readonly string[]): Promise<Named> {
  const { rows } = await sql<{ id: string; name: string }>`
    select c.class_id::text as id, c.class_name as name from teaching_class_name_v c
    where c.school_id = ${school_id} and c.class_id = any(${[...ids]}::bigint[])`.execute(db)
  return keyed(rows)
}

/** Names of the teachers of lessons, by the list of their ids as text: `{1,2}`. */
export async function teacherNames(db: Db, school_id: number, lists: readonly string[]): Promise<Named> {
  const ids_of = (list: string) =>
    list
      .replace(/[{}]/g, '')
      .split(',')
      .filter(id => id !== '')
  const names = await personNames(db, school_id, lists.flatMap(ids_of))
  return new Map(
    lists.map(list => [
      list,
      ids_of(list)
        .map(id => names.get(id) ?? '')
        .join('、'),
    ]),
  )
}
