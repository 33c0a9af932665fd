import { addDays } from '@campus/calendar/contract'
import { sql } from 'kysely'
import type { LeaveViews } from '@campus/leave/server'
import { asTables } from '@kit/server/db'
import type { Db } from '../db.ts'
import type { Candidate } from './proposal.ts'

type Taught = { user_id: string; subject: string; grade: string; class_id: string }
type Span = { user_id: string; begin_at: Date; end_at: Date }
type Busy = Span & { lesson_day_id: string; state: number }

/** Everybody at work who teaches in the term of a date, with what decides who may take a lesson of a date. */
export async function readCandidates(db: Db, school_id: number, date: string): Promise<Candidate[]> {
  const term = await db.selectFrom('semester_v').select(['semester_id', 'begin_date', 'end_date']).where('school_id', '=', school_id)
    .where('begin_date', '<=', date).where('end_date', '>=', date).executeTakeFirst()
  if (!term) return []
  const { rows: taught } = await sql<Taught>`
    select u.user_id::text as user_id, k.subject, c.grade, t.class_id::text as class_id
    from teaching t join teaching_class c on c.school_id = ${school_id} and c.id = t.class_id join course k on k.school_id = ${school_id} and k.id = t.course_id
    cross join lateral unnest(t.teacher_ids) as u(user_id) where t.school_id = ${school_id} and t.semester_id = ${term.semester_id}`.execute(db)
  const staff = await db.selectFrom('live_staff').select(['user_id', 'user_name']).where('school_id', '=', school_id).orderBy('user_id')
    .execute()
  const { rows: lessons } = await sql<Busy>`
    select u.user_id::text as user_id, d.begin_at, d.end_at, d.lesson_day_id::text as lesson_day_id, d.state::int as state from lesson_day d cross join lateral unnest(d.teacher_ids) as u(user_id)
    where d.school_id = ${school_id} and d.date = ${date}::date and d.state not in (4, 5)`.execute(db)
  const begin = new Date(`${date}T00:00:00+08:00`)
  const { rows: away } = await sql<Span>`
    select user_id::text as user_id, begin_at, end_at from leave_span_v
    where school_id = ${school_id} and begin_at < ${new Date(`${addDays(date, 1)}T00:00:00+08:00`)}::timestamptz and end_at > ${begin}::timestamptz`.execute(asTables<LeaveViews>(db))
  const { rows: ledger } = await sql<{ from_id: string | null; to_id: string | null }>`
    select from_teacher_id::text as from_id, to_teacher_id::text as to_id from cover_ledger_v
    where school_id = ${school_id} and date between ${term.begin_date}::date and ${term.end_date}::date`.execute(db)
  const lists = { taught: Map.groupBy(taught, one => one.user_id), lessons: Map.groupBy(lessons, one => one.user_id), away: Map
    .groupBy(away, one => one.user_id) }
  const spans = (list: readonly Span[] | undefined) => (list ?? [])
    .map(one => ({ begin: one.begin_at.getTime(), end: one.end_at.getTime() }))
  return staff.filter(one => lists.taught.has(one.user_id)).map(({ user_id, user_name }) => {
    const own = lists.taught.get(user_id) ?? []
    return {
      user_id, user_name, teaches: new Set(own.map(one => `${one.subject} ${one.grade}`)), subjects: new Set(own.map(one => one.subject)),
        class_ids: new Set(own.map(one => one.class_id)),
      today: (lists.lessons.get(user_id) ?? []).map(({ lesson_day_id, state, begin_at, end_at }) => ({ lesson_day_id, state,
        begin: begin_at.getTime(), end: end_at.getTime() })), away: spans(lists.away.get(user_id)), net: ledger
        .filter(one => one.to_id === user_id).length - ledger.filter(one => one.from_id === user_id).length,
    }
  })
}
