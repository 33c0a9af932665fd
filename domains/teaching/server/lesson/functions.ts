import type { DayLesson } from '@campus/teaching/contract'
import { schoolDay } from '@campus/school/server'
import type { Me } from '@kit/server/http'
import { asTables } from '@kit/server/db'
import { sql } from 'kysely'
import type { QueryExecutorProvider, RawBuilder } from 'kysely'
import type { TeachingDb } from '../db.ts'
import { readDayLessons } from './lesson.service.ts'

type Desk = { db: QueryExecutorProvider; school_id: number }
/** Where pupils should be at an instant. */
export type Whereabouts = { user_id: string; place_id: string | null; lesson_day_id: string | null; state: 'lesson' | 'break' | 'none' }

/** The row predicate of `within: own` for lessons: mine by `teacher_ids` of the named column (chapter 50, functions). */
export function ownScope({ me }: { me: Pick<Me, 'user_id'> }, column = 'd.teacher_ids'): RawBuilder<boolean> {
  return sql<boolean>`${me.user_id}::bigint = any(${sql.ref(column)})`
}

/** The lessons of a date of a class, a teacher, a place or a pupil. */
export async function lessons_on({ db, school_id }: Desk, date: string, of: { class_id: string } | { teacher_id: string } | { place_id: string } | { student_id: string }): Promise<DayLesson[]> {
  const tabled = asTables<TeachingDb>(db)
  const which = 'class_id' in of ? sql`d.class_id = ${of.class_id}` : 'teacher_id' in of ? sql`${of.teacher_id}::bigint = any(d.teacher_ids)` : 'place_id' in of ? sql`d.place_id = ${of.place_id}`
    : sql`d.lesson_day_id in (select s.lesson_day_id from lesson_student_v s where s.school_id = ${school_id} and s.date = ${date}::date and s.user_id = ${of.student_id})`
  return readDayLessons(tabled, school_id, sql`d.date = ${date}::date and ${which}`)
}

/** Where pupils should be: in which lesson and place, between lessons of theirs, or without lessons that day. */
export async function where_should_be({ db, school_id }: Desk, student_ids: readonly string[], at: Date): Promise<Whereabouts[]> {
  const { rows } = await sql<{ user_id: string; lesson_day_id: string; place_id: string | null; begin_at: Date; end_at: Date }>`
    select s.user_id::text as user_id, d.lesson_day_id::text as lesson_day_id, d.place_id::text as place_id, d.begin_at, d.end_at
    from lesson_student_v s join lesson_day d on d.school_id = ${school_id} and d.date = s.date and d.lesson_day_id = s.lesson_day_id
    where s.school_id = ${school_id} and s.date = ${schoolDay(at)}::date and s.user_id = any(${[...student_ids]}::bigint[])`.execute(asTables<TeachingDb>(db))
  return student_ids.map(user_id => {
    const own = rows.filter(row => row.user_id === user_id)
    const lesson = own.find(row => row.begin_at <= at && at < row.end_at)
    const is_between = own.some(row => row.end_at <= at) && own.some(row => row.begin_at > at)
    return { user_id, place_id: lesson?.place_id ?? null, lesson_day_id: lesson?.lesson_day_id ?? null, state: lesson ? 'lesson' : is_between ? 'break' : 'none' }
  })
}

/** Which of these teachers or places have no lesson in a span of a date; minutes of the day, half-open. */
export async function free_at({ db, school_id }: Desk, kind: 'teacher' | 'place', ids: readonly string[], date: string, mins: { begin: number; end: number }): Promise<string[]> {
  const at = (minutes: number) => new Date(Date.parse(`${date}T00:00:00+08:00`) + minutes * 60_000)
  const { rows } = await sql<{ id: string }>`
    select (case when ${kind} = 'place' then d.place_id else u.user_id end)::text as id
    from lesson_day d left join lateral unnest(d.teacher_ids) as u(user_id) on true
    where d.school_id = ${school_id} and d.date = ${date}::date and d.state not in (4, 5) and d.begin_at < ${at(mins.end)} and d.end_at > ${at(mins.begin)}`.execute(asTables<TeachingDb>(db))
  const busy = new Set(rows.map(row => row.id))
  return ids.filter(id => !busy.has(id))
}
