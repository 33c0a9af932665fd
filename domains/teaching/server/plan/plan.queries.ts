import { teachingErrors } from '@campus/teaching/contract'
import type { TaughtClass, Teacher } from '@campus/teaching/contract'
import { fail } from '@kit/contract'
import { sql } from 'kysely'
import type { Db } from '../db.ts'

/** A term as teaching needs it. */
export type Term = { semester_id: number; school_year: string; term: string; name: string; begin_date: string; end_date: string; is_closed: boolean }
const class_type = 4

/** @throws Refusal 404 semesterUnknown */
export async function requireTerm(db: Db, school_id: number, semester_id: number): Promise<Term> {
  const term = await db.selectFrom('semester_v').select(['semester_id', 'school_year', 'term', 'name', 'begin_date', 'end_date', 'is_closed']).where('school_id', '=', school_id).where('semester_id', '=', semester_id).executeTakeFirst()
  if (!term) throw fail(teachingErrors.semesterUnknown, { errors: [{ field: 'semester_id', msg: teachingErrors.semesterUnknown.msg }] })
  return term
}

/** Terms for choosing one, the latest first; `current`: the one of today, else the one that comes next. */
export async function listTerms(db: Db, school_id: number, today: string): Promise<{ list: Omit<Term, 'term'>[]; current: number | null }> {
  const list = await db.selectFrom('semester_v').select(['semester_id', 'school_year', 'name', 'begin_date', 'end_date', 'is_closed']).where('school_id', '=', school_id).orderBy('begin_date', 'desc').execute()
  return { list, current: (list.findLast(term => term.end_date >= today) ?? list[0])?.semester_id ?? null }
}

/** A term that may still be changed. @throws Refusal 404 semesterUnknown, 422 semesterClosed */
export async function requireOpenTerm(db: Db, school_id: number, semester_id: number): Promise<Term> {
  const term = await requireTerm(db, school_id, semester_id)
  if (term.is_closed) throw fail(teachingErrors.semesterClosed)
  return term
}

/** Classes of a term in the order of the school: those of people's tree, taught already or not, then walking classes. */
export async function readClasses(db: Db, school_id: number, semester_id: number, grade?: string): Promise<TaughtClass[]> {
  const { rows } = await sql<TaughtClass>`
    select c.id::text as class_id, d.id::text as dept_id, coalesce(c.name, d.dept_name) as name, d.grade, 1 as kind
    from dept_now d left join teaching_class c on c.school_id = ${school_id} and c.semester_id = ${semester_id} and c.dept_id = d.id
    where d.school_id = ${school_id} and d.dept_type = ${class_type} and d.grade is not null and (${grade ?? null}::text is null or d.grade = ${grade ?? null})
    order by d.grade, d.class_no, d.id`.execute(db)
  const walking = await sql<TaughtClass>`
    select id::text as class_id, null::text as dept_id, name, grade, kind::int as kind from teaching_class
    where school_id = ${school_id} and semester_id = ${semester_id} and kind <> 1 and state = 1 and (${grade ?? null}::text is null or grade = ${grade ?? null}) order by grade, name`.execute(db)
  return [...rows, ...walking.rows]
}

/**
 * The teaching classes of classes of people's tree in a term, made where they are missing: dept_id → class_id.
 * @throws Refusal 422 classUnknown
 */
export async function openClasses(db: Db, school_id: number, semester_id: number, dept_ids: readonly string[]): Promise<Map<string, string>> {
  if (dept_ids.length === 0) return new Map()
  const wanted = [...new Set(dept_ids)]
  const { rows } = await sql<{ dept_id: string; name: string; grade: string; place_id: string | null }>`
    select d.id::text as dept_id, d.dept_name as name, d.grade, p.place_id::text as place_id
    from dept_now d left join place_live_v p on p.school_id = ${school_id} and p.dept_id = d.id
    where d.school_id = ${school_id} and d.dept_type = ${class_type} and d.grade is not null and d.id = any(${wanted}::bigint[])`.execute(db)
  const depts = new Map(rows.map(row => [row.dept_id, row]))
  if (depts.size < wanted.length) throw fail(teachingErrors.classUnknown)
  const made = [...depts.values()].map(({ dept_id, name, grade, place_id }) => ({ school_id, semester_id, kind: 1, dept_id, name, grade, home_place_id: place_id }))
  await db.insertInto('teaching_class').values(made).onConflict(on => on.columns(['school_id', 'semester_id', 'dept_id']).where('dept_id', 'is not', null).doNothing()).execute()
  const classes = await db.selectFrom('teaching_class').select(['id', 'dept_id']).where('school_id', '=', school_id).where('semester_id', '=', semester_id).where('dept_id', 'in', wanted).execute()
  return new Map(classes.map(({ id, dept_id }) => [dept_id ?? '', id]))
}

/** Names of teachers, of those who have left too. */
export async function teacherNames(db: Db, school_id: number, ids: Iterable<string>): Promise<Map<string, string>> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return new Map()
  const rows = await db.selectFrom('person_label').select(['user_id', 'display_name']).where('school_id', '=', school_id).where('user_id', 'in', wanted).execute()
  return new Map(rows.map(({ user_id, display_name }) => [user_id, display_name]))
}

/** Teachers with their names, in order. */
export function named(ids: readonly string[], names: ReadonlyMap<string, string>): Teacher[] {
  return ids.map(user_id => ({ user_id, user_name: names.get(user_id) ?? '' }))
}

/** @throws Refusal 422 teacherUnknown when one of them does not work here today */
export async function requireTeachers(db: Db, school_id: number, ids: readonly string[]): Promise<void> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return
  const found = await db.selectFrom('live_staff').select('user_id').where('school_id', '=', school_id).where('user_id', 'in', wanted).execute()
  if (found.length < wanted.length) throw fail(teachingErrors.teacherUnknown, { errors: [{ field: 'teacher_ids', msg: teachingErrors.teacherUnknown.msg }] })
}

/** Names of places. */
export async function placeNames(db: Db, school_id: number, ids: Iterable<string>): Promise<Map<string, string>> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return new Map()
  const { rows } = await sql<{ place_id: string; name: string }>`
    select p.place_id::text as place_id, p.place_name || case when u.place_name is null then '' else '（' || u.place_name || '）' end as name
    from place_live_v p
    left join place_live_v f on f.school_id = ${school_id} and f.place_id = p.superior_id
    left join place_live_v u on u.school_id = ${school_id} and u.place_id = f.superior_id
    where p.school_id = ${school_id} and p.place_id = any(${wanted}::bigint[])`.execute(db)
  return new Map(rows.map(({ place_id, name }) => [place_id, name]))
}
