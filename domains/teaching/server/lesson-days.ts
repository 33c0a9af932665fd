import { sql } from 'kysely'
import type { Db } from './db.ts'

/** Which dates to write: [from, to), never what has begun by `now`. */
type Rebuild = { school_id: number; timetable_id: string; from: string; to: string; now: Date }

/**
 * Writes the lessons of dates anew from the published versions of a timetable (chapter 50 rule 25). A lesson that stays on its date and section keeps its
 * `lesson_day_id`; rows that no version brings any more go, but for lessons that a change moved there (without lesson_id); what has begun
 * stays as it was, and so does what a change of
 * that day has put in (state other than 1). Idempotent.
 * @returns the number of the rebuild
 */
export async function rebuildLessonDays(db: Db, { school_id, timetable_id, from, to, now }: Rebuild): Promise<number> {
  const { day_rev } = await db.updateTable('timetable').set({ day_rev: sql<number>`day_rev + 1` }).where('school_id', '=', school_id).where('id', '=', timetable_id).returning('day_rev').executeTakeFirstOrThrow()
  await sql`
    insert into lesson_day (school_id, date, lesson_key, lesson_id, timetable_id, version_id, class_id, course_id, weekday, section, span, begin_at, end_at, place_id, teacher_ids, plan_date, rev)
    select l.school_id, d.date, l.lesson_key, l.id, v.timetable_id, v.id, l.class_id, l.course_id, extract(isodow from d.date)::int, l.section, l.span,
      (d.date + b.begin_min * interval '1 minute') at time zone 'Asia/Shanghai', (d.date + e.end_min * interval '1 minute') at time zone 'Asia/Shanghai',
      coalesce(l.place_id, c.home_place_id), l.teacher_ids, d.plan_date, ${day_rev}::int
    from timetable_version v
    join timetable t on t.school_id = ${school_id} and t.id = v.timetable_id
    join lesson l on l.school_id = ${school_id} and l.version_id = v.id and l.weekday is not null
    join teaching_class c on c.school_id = ${school_id} and c.id = l.class_id
    join school_day_v d on d.school_id = ${school_id} and d.grade = c.grade and d.is_school_day and d.plan_weekday = l.weekday
    join semester_v m on m.school_id = ${school_id} and m.semester_id = d.semester_id and (t.semester_id = m.semester_id or (t.semester_id is null and t.school_year = m.school_year))
    join bell_section_v b on b.school_id = ${school_id} and b.bell_id = d.bell_id and b.section = l.section
    join bell_section_v e on e.school_id = ${school_id} and e.bell_id = d.bell_id and e.section = l.section + l.span - 1
    where v.school_id = ${school_id} and v.timetable_id = ${timetable_id} and v.state = 1 and d.date >= ${from}::date and d.date < ${to}::date
      and d.date >= v.valid_from and (v.valid_to is null or d.date < v.valid_to)
      and l.weeks @> (case when t.semester_id is null then m.term::int * 100 else 0 end + d.plan_week_no)
      and not d.closed && int4range(b.begin_min, e.end_min)
      and (d.date + b.begin_min * interval '1 minute') at time zone 'Asia/Shanghai' > ${now}::timestamptz
    on conflict (school_id, date, lesson_key, section) do update set
      lesson_id = excluded.lesson_id, version_id = excluded.version_id, class_id = excluded.class_id, span = excluded.span, begin_at = excluded.begin_at, end_at = excluded.end_at,
      course_id = case when lesson_day.state = 1 then excluded.course_id else lesson_day.course_id end,
      place_id = case when lesson_day.state = 1 then excluded.place_id else lesson_day.place_id end,
      teacher_ids = case when lesson_day.state = 1 then excluded.teacher_ids else lesson_day.teacher_ids end,
      plan_date = excluded.plan_date, rev = excluded.rev`.execute(db)
  await sql`
    delete from lesson_day where school_id = ${school_id} and timetable_id = ${timetable_id} and date >= ${from}::date and date < ${to}::date and rev <> ${day_rev} and begin_at > ${now}::timestamptz and lesson_id is not null`.execute(db)
  return day_rev
}
