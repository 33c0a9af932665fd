import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { dayAt } from '../exam/minute.ts'
import type { Sitting, Teacher } from '../invigilate/invigilate.ts'

const [head_share, full_share, third] = [0.8, 1, 1 / 3] as const
type Span = { begin: number; end: number }

/** Sessions with the rooms that are used; a room is a class's own where a third of it comes from there. */
export async function readSittings(db: Db, school_id: number, exam_id: string): Promise<Sitting[]> {
  const { rows } = await sql<{ session_id: string; room_id: string; begin_at: Date; end_at: Date; minutes: number; subjects: string[]; depts: { dept_id: string; n: number }[] }>`
    select b.session_id::text as session_id, b.room_id::text as room_id, b.begin_at, b.end_at, (extract(epoch from b.end_at - b.begin_at) / 60)::int as minutes,
      array(select distinct p.subject from exam_session s join exam_paper p on p.school_id = ${school_id} and p.paper_id = any(s.paper_ids)
        where s.school_id = ${school_id} and s.session_id = b.session_id) as subjects,
      (select coalesce(jsonb_agg(jsonb_build_object('dept_id', g.dept_id, 'n', g.n)), '[]'::jsonb) from (
        select c.dept_id::text as dept_id, count(*)::int as n from exam_seat t
        join exam_candidate c on c.school_id = ${school_id} and c.exam_id = ${exam_id} and c.user_id = t.user_id
        where t.school_id = ${school_id} and t.session_id = b.session_id and t.room_id = b.room_id group by c.dept_id) g) as depts
    from exam_room_session b where b.school_id = ${school_id} and b.exam_id = ${exam_id} order by b.begin_at, b.room_id`.execute(db)
  return [...Map.groupBy(rows, row => row.session_id).values()].flatMap(group => {
    const [first] = group
    if (!first) return []
    const rooms = group.map(({ room_id, subjects, depts }) => {
      const all = depts.reduce((sum, one) => sum + one.n, 0)
      return { room_id, subjects, dept_ids: depts.filter(one => one.n >= all * third).map(one => one.dept_id) }
    })
    return [{ session_id: first.session_id, day: dayAt(first.begin_at), begin: first.begin_at.getTime(), end: first.end_at.getTime(), minutes: first.minutes, rooms }]
  })
}

export type StaffFact = Teacher & { user_name: string; teacher_no: string }

/** Teachers who may invigilate (`all`: the other staff too, for a swap): what keeps them in these days, the class they lead, minutes they have served this school year (chapter 55 rule 29). */
export async function readTeachers(db: Db, school_id: number, exam_id: string, sittings: readonly Sitting[],
  all = false): Promise<StaffFact[]> {
  const staff = await db.selectFrom('live_staff').select(['user_id', 'user_name', 'teacher_no']).where('school_id', '=', school_id).orderBy('teacher_no').execute()
  const taught = await sql<{ user_id: string; subject: string }>`select distinct user_id::text as user_id, subject from teaching_now_v where school_id = ${school_id}`.execute(db)
  const heads = await sql<{ user_id: string; dept_id: string }>`
    select user_id::text as user_id, dept_id::text as dept_id from duty_span where school_id = ${school_id} and duty = 'head' and valid_to is null`.execute(db)
  const [subjects, leads] = [Map.groupBy(taught.rows, row => row.user_id), Map.groupBy(heads.rows, row => row.user_id)]
  const [busy, served] = [await busySpans(db, school_id, exam_id, sittings), await servedMinutes(db, school_id, exam_id)]
  const able = all || taught.rows.length === 0 ? staff : staff.filter(one => subjects.has(one.user_id))
  return able.map(one => ({
    ...one, busy: busy.get(one.user_id) ?? [], own_dept_ids: (leads.get(one.user_id) ?? []).map(row => row.dept_id), subjects: (subjects.get(one.user_id) ?? []).map(row => row.subject),
    share: leads.has(one.user_id) ? head_share : full_share, ledger: served.get(one.user_id) ?? 0,
  }))
}

/** Lessons of classes that do not sit, leaves, duties of other exams. */
async function busySpans(db: Db, school_id: number, exam_id: string, sittings: readonly Sitting[]): Promise<Map<string, Span[]>> {
  if (sittings.length === 0) return new Map()
  const [from, to] = [new Date(Math.min(...sittings.map(one => one.begin))), new Date(Math.max(...sittings.map(one => one.end)))]
  const { rows } = await sql<{ user_id: string; begin_at: Date; end_at: Date }>`
    select u.user_id::text as user_id, l.begin_at, l.end_at from lesson_day_v l cross join lateral unnest(l.teacher_ids) as u(user_id)
    where l.school_id = ${school_id} and l.date between ${dayAt(from)}::date and ${dayAt(to)}::date and l.state not in (4, 5) and not exists (
      select 1 from dept_now d join exam e on e.school_id = ${school_id} and e.exam_id = ${exam_id} where d.school_id = ${school_id} and d.id = l.dept_id and d.grade = any(e.grades))
    union all
    select v.user_id::text, v.begin_at, v.end_at from leave_span_v v where v.school_id = ${school_id} and v.begin_at < ${to} and v.end_at > ${from}
    union all
    select i.user_id::text, i.begin_at, i.end_at from exam_invigilator i where i.school_id = ${school_id} and i.exam_id <> ${exam_id} and i.begin_at < ${to} and i.end_at > ${from}`.execute(db)
  const spans = rows.map(row => ({ user_id: row.user_id, begin: row.begin_at.getTime(), end: row.end_at.getTime() }))
  return Map.groupBy(spans.filter(one => sittings.some(each => one.begin < each.end && each.begin < one.end)), one => one.user_id)
}

/** Minutes that teachers have served in published exams of the same school year, this one apart. */
async function servedMinutes(db: Db, school_id: number, exam_id: string): Promise<Map<string, number>> {
  const { rows } = await sql<{ user_id: string; minutes: number }>`
    select i.user_id::text as user_id, sum(i.minutes)::int as minutes
    from exam_invigilator i
    join exam e on e.school_id = ${school_id} and e.exam_id = i.exam_id and e.state in (2, 5, 6, 7)
    join semester_v m on m.school_id = ${school_id} and m.semester_id = e.semester_id
    where i.school_id = ${school_id} and i.exam_id <> ${exam_id} and m.school_year = (
      select n.school_year from exam o join semester_v n on n.school_id = ${school_id} and n.semester_id = o.semester_id where o.school_id = ${school_id} and o.exam_id = ${exam_id})
    group by i.user_id`.execute(db)
  return new Map(rows.map(row => [row.user_id, row.minutes]))
}
