import { subject } from '@campus/evaluation/contract'
import { inScope } from '@campus/people/server'
import type { DeptScope } from '@campus/people/server'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import { sql } from 'kysely'
import type { Db, EvaluationCtx, Work } from './db.ts'

/** A pupil or a class that stars are given to. */
export type Subject = { subject_id: string; name: string; dept_id: string }
type Place = Pick<Work, 'db' | 'school_id'>
const class_type = 4

/** These pupils or classes as far as they are here and in the scope. @throws Refusal 404 when one is not */
export async function requireStarred({ db, school_id }: Place, kind: number, ids: readonly string[], scope: DeptScope): Promise<Subject[]> {
  const { rows } =
    kind === subject.pupil
      ? await sql<Subject>`select s.user_id::text as subject_id, s.user_name as name, s.dept_id::text as dept_id from live_student s
        where s.school_id = ${school_id} and s.user_id = any(${[...ids]}::bigint[]) and ${inScope('s.dept_id', scope)}
        order by s.user_id`.execute(db)
      : await sql<Subject>`select d.id::text as subject_id, d.dept_name as name, d.id::text as dept_id from dept_now d
        where d.school_id = ${school_id} and d.id = any(${[...ids]}::bigint[]) and d.dept_type = ${class_type}
        and ${inScope('d.id', scope)} order by d.id`.execute(db)
  if (rows.length < new Set(ids).size) throw fail(commonErrors.notFound)
  return rows
}

/** A class or a department above classes in the scope. @throws Refusal 404 */
export async function requireScopeDept(
  { db, school_id }: Place,
  scope: DeptScope,
  dept_id: string,
): Promise<{ dept_name: string; node_path: string }> {
  const found = await db
    .selectFrom('dept_now')
    .select(['dept_name', 'node_path'])
    .where('school_id', '=', school_id)
    .where('id', '=', dept_id)
    .executeTakeFirst()
  if (!found || (scope !== 'all' && !scope.includes(dept_id))) throw fail(commonErrors.notFound)
  return found
}

/** The classes of a scope in their order. */
export async function classesOf(
  { db, school_id }: Place,
  scope: DeptScope,
): Promise<{ dept_id: string; dept_name: string; heads: number }[]> {
  const { rows } = await sql<{ dept_id: string; dept_name: string; heads: number }>`
    select d.id::text as dept_id, d.dept_name, (select count(*)::int from live_student s where s.school_id = ${school_id}
      and s.dept_id = d.id) as heads
    from dept_now d where d.school_id = ${school_id} and d.dept_type = ${class_type} and d.tree = 'student'
    and ${inScope('d.id', scope)} order by d.node_path limit 500`.execute(db)
  return rows
}

/** The classes that somebody leads today. */
export async function ledClasses({ db, school_id }: Place, user_id: string, now: Date): Promise<string[]> {
  const on = schoolDay(now)
  const { rows } = await sql<{ dept_id: string }>`select y.dept_id::text as dept_id from duty_span y
    where y.school_id = ${school_id} and y.user_id = ${user_id} and y.duty = 'head' and y.valid_from <= ${on}::date
    and (y.valid_to is null or y.valid_to > ${on}::date)`.execute(db)
  return rows.map(row => row.dept_id)
}

/** The children of somebody, on any day. */
export async function childrenOf({ db, school_id, me }: Pick<EvaluationCtx, 'db' | 'school_id' | 'me'>): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select g.student_user_id::text as user_id from guardian_span g where g.school_id = ${school_id}
    and g.parent_user_id = ${me.user_id} and g.valid_to is null`.execute(db)
  return rows.map(row => row.user_id)
}

/** The last day of the term that holds a day; null outside of terms. */
export async function termEnd(db: Db, school_id: number, day: string): Promise<string | null> {
  const { rows } = await sql<{ end_date: string }>`
    select s.end_date::text as end_date from semester_v s where s.school_id = ${school_id} and s.begin_date <= ${day}::date
    and s.end_date >= ${day}::date order by s.begin_date desc limit 1`.execute(db)
  return rows[0]?.end_date ?? null
}
