import { attend_flags, attended_states, counted_states, most_detail_days, most_term_days, resultErrors } from '@campus/attendance/contract'
import type { DetailQuery, Who } from '@campus/attendance/contract'
import { addDays } from '@campus/calendar/contract'
import { deptScope, inScope } from '@campus/people/server'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import { nameHas, nameKeyOf } from '@kit/server/db'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { AttendanceCtx } from '../db.ts'
import { day_ms } from '../judge/window.ts'

export type Days = { from: string; to: string }
type Filters = Omit<DetailQuery, 'from' | 'to' | 'page_index' | 'page_size'>

/** The right to see results of other members of staff. */
export const teacher_code = 'attendance.teacher.view'
const usual_days = 6
export const kind_of: Readonly<Record<Who, number>> = { student: 1, teacher: 2 }
const group_states = { attended: attended_states, counted: counted_states } as const

/** The asked days, the last week where nothing is asked. @throws Refusal 422 for reversed days or more than `most` */
export function daysOf(now: Date, { from, to }: Partial<Days>, most: number): Days {
  const last = to ?? (from === undefined ? schoolDay(now) : addDays(from, usual_days))
  const first = from ?? addDays(last, -usual_days)
  const span = (Date.parse(last) - Date.parse(first)) / day_ms
  if (span < 0) throw fail(commonErrors.rangeReversed, { errors: [{ field: 'to', msg: commonErrors.rangeReversed.msg }] })
  if (span >= most) {
    throw fail(resultErrors.range, {
      params: { n: most },
      errors: [{ field: 'to', msg: resultErrors.range.msg.replace('{n}', String(most)) }],
    })
  }
  return { from: first, to: last }
}

/** A detail spans a month; of one named person a term (chapter 55 §4). */
export function mostDays({ user_id }: Pick<Filters, 'user_id'>): number {
  return user_id === undefined ? most_detail_days : most_term_days
}

/**
 * Whose results `r` somebody sees: pupils of his classes and of his own lessons; staff of his departments with the right to it, and always himself
 * (chapter 55 §3.21).
 */
export async function seenResults(ctx: AttendanceCtx, who: Who, days: Days): Promise<RawBuilder<boolean>> {
  const { school_id, me } = ctx
  const own = sql<boolean>`r.user_id = ${me.user_id}::bigint`
  if (who === 'teacher') {
    const scope = await deptScope(ctx, 'staff')
    if (!me.codes.has(teacher_code)) return own
    return scope === 'all' ? sql<boolean>`true` : sql<boolean>`(${inScope('r.dept_id', scope)} or ${own})`
  }
  const scope = await deptScope(ctx, 'student')
  if (scope === 'all') return sql<boolean>`true`
  return sql<boolean>`(${inScope('r.dept_id', scope)} or (r.expect_kind = 1 and r.occurrence_id in (
    select l.lesson_day_id from lesson_day_v l
    where l.school_id = ${school_id} and l.date >= ${days.from}::date and l.date <= ${days.to}::date
      and ${me.user_id}::bigint = any(l.teacher_ids))))`
}

/** @throws Refusal 404 for a department, person or course that is not there, 400 for a filter value that is none (chapter 55 §4) */
export async function requireFilters({ db, school_id }: AttendanceCtx, asked: Partial<Filters>): Promise<void> {
  const { dept_id, user_id, course_id, occurrence_id, classroom, subject } = asked
  const { rows } = await sql<Record<'dept' | 'person' | 'course' | 'lesson' | 'place' | 'subject', boolean>>`
    select ${dept_id ?? null}::bigint is null or exists (select 1 from dept_now d where d.school_id = ${school_id}
      and d.id = ${dept_id ?? null}::bigint) as dept,
      ${user_id ?? null}::bigint is null or exists (select 1 from person_label p where p.school_id = ${school_id}
        and p.user_id = ${user_id ?? null}::bigint) as person,
      ${course_id ?? null}::bigint is null
        or exists (select 1 from course_name_v c where c.school_id = ${school_id} and c.course_id = ${course_id ?? null}::bigint) as course,
      ${occurrence_id ?? null}::bigint is null
        or exists (select 1 from attend_result r where r.school_id = ${school_id}
          and r.occurrence_id = ${occurrence_id ?? null}::bigint) as lesson,
      ${classroom ?? null}::bigint is null
        or exists (select 1 from place_path_v p where p.school_id = ${school_id} and p.place_id = ${classroom ?? null}::bigint) as place,
      ${subject ?? null}::text is null or exists (select 1 from dictionary_v v
        where v.school_id = ${school_id} and v.sc_code_type = 'SUBJECT' and v.sc_code_item = ${subject ?? null}::text) as subject`.execute(
    db,
  )
  const [known] = rows
  if (!known?.dept || !known.person || !known.course || !known.lesson) throw fail(commonErrors.notFound)
  if (!known.place) throw fail(commonErrors.malformed, { errors: [{ field: 'classroom', msg: '请选择列出的教室' }] })
  if (!known.subject) throw fail(commonErrors.malformed, { errors: [{ field: 'subject', msg: '请选择列出的科目' }] })
}

/** A department with everything below it. */
export function inDept(school_id: number, column: RawBuilder<unknown>, dept_id: string): RawBuilder<unknown> {
  return sql`${column} in (
    select c.id from dept_now c join dept_now p on p.school_id = ${school_id} and p.id = ${dept_id}
    where c.school_id = ${school_id} and c.node_path >= p.node_path and c.node_path < left(p.node_path, -1) || '0')`
}

/** People whose name or number is looked for. */
export function named(school_id: number, column: RawBuilder<unknown>, typed: string): RawBuilder<unknown> {
  return sql`${column} in (select u.user_id from school_user_v u
    where u.school_id = ${school_id}
      and (${nameHas(nameKeyOf('u.user_name'), typed)} or starts_with(upper(u.user_no), ${typed.toUpperCase()})))`
}

/**
 * Which results `r` a report is of: school, days, kind of people, row scope and filters. Class clocks have a screen of their own.
 * @throws Refusal 404, 400
 */
export async function resultRows(ctx: AttendanceCtx, who: Who, asked: Partial<Filters>, { from, to }: Days): Promise<RawBuilder<unknown>> {
  await requireFilters(ctx, asked)
  const where = [
    sql`r.school_id = ${ctx.school_id} and r.lesson_date >= ${from}::date and r.lesson_date <= ${to}::date`,
    sql`r.person_kind = ${kind_of[who]} and r.expect_kind <> 2`,
    await seenResults(ctx, who, { from, to }),
    ...conditionsOf(ctx.school_id, asked),
  ]
  return sql.join(where, sql` and `)
}

/** The lesson `l` of a result `r`; of exams none. */
export function lessonOf(school_id: number): RawBuilder<unknown> {
  return sql`left join lesson_day_v l on l.school_id = ${school_id} and l.date = r.lesson_date
    and l.lesson_day_id = case when r.expect_kind = 1 then r.occurrence_id end`
}

function conditionsOf(school_id: number, asked: Partial<Filters>): RawBuilder<unknown>[] {
  const {
    keyword,
    dept_id,
    classroom,
    subject,
    section,
    state,
    identify_type,
    course_type,
    flag,
    group,
    user_id,
    course_id,
    occurrence_id,
  } = asked
  const where: RawBuilder<unknown>[] = []
  if (keyword !== undefined) where.push(named(school_id, sql`r.user_id`, keyword))
  if (dept_id !== undefined) where.push(inDept(school_id, sql`r.dept_id`, dept_id))
  if (classroom !== undefined) where.push(sql`r.place_id = ${classroom}`)
  if (subject !== undefined) where.push(sql`r.subject = ${subject}`)
  if (section !== undefined) where.push(sql`r.section = ${Number(section)}`)
  if (state !== undefined) where.push(sql`r.state = ${Number(state)}`)
  if (identify_type !== undefined) where.push(sql`r.identify_type = ${Number(identify_type)}`)
  if (flag !== undefined) where.push(sql`r.flags & ${attend_flags[flag]}::int > 0`)
  if (group !== undefined) where.push(sql`r.state = any(${[...group_states[group]]}::int[])`)
  if (user_id !== undefined) where.push(sql`r.user_id = ${user_id}`)
  if (course_id !== undefined) where.push(sql`r.course_id = ${course_id}`)
  if (occurrence_id !== undefined) where.push(sql`r.occurrence_id = ${occurrence_id}`)
  if (course_type !== undefined) {
    where.push(
      sql`r.course_id in (select c.course_id from course_name_v c where c.school_id = ${school_id} and c.course_type = ${course_type})`,
    )
  }
  return where
}
