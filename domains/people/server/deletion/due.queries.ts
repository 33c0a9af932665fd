import type { DeleteConfig, DeleteDue } from '@campus/people/contract'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { addDays, schoolDay } from '../day.ts'
import type { Db } from '../db.ts'

type Wanted = Pick<DeleteConfig, 'leave_days' | 'parent_idle_days'>
/** PERSON_KIND 1 pupil, 2 staff, 3 parent */
export type DuePerson = { user_id: string; kind: 1 | 2 | 3 }

/** Whoever has been gone for as long as the school wants and stands on no list yet (rule 21: they are only proposed). */
export async function duePeople(db: Db, school_id: number, now: Date, wanted: Wanted): Promise<DuePerson[]> {
  const { rows } = await sql<DuePerson>`${due(school_id, schoolDay(now), wanted)} order by kind, user_id`.execute(db)
  return rows
}

/** How many of them there are. */
export async function countDue(db: Db, school_id: number, now: Date, wanted: Wanted): Promise<DeleteDue> {
  const { rows } = await sql<{ kind: number; n: number }>`select d.kind, count(*)::int as n from (${due(school_id, schoolDay(now), wanted)}) d group by d.kind`.execute(db)
  const of = (kind: number) => rows.find(row => row.kind === kind)?.n ?? 0
  return { students: of(1), staff: of(2), parents: of(3), total: of(1) + of(2) + of(3) }
}

function due(school_id: number, today: string, { leave_days, parent_idle_days }: Wanted): RawBuilder<unknown> {
  const left = (facet: 'student' | 'staff', days: number) => sql`
    select t.user_id, max(t.valid_to) as left_on from ${sql.table(`${facet}_span`)} t where t.school_id = ${school_id}
    group by t.user_id having bool_and(t.valid_to is not null and t.valid_to <= ${addDays(today, -days)}::date)`
  const here = sql`
    select t.user_id from student_span t where t.school_id = ${school_id} and (t.valid_to is null or t.valid_to > ${today}::date)
    union all select t.user_id from staff_span t where t.school_id = ${school_id} and (t.valid_to is null or t.valid_to > ${today}::date)
    union all select g.parent_user_id from guardian_link g where g.school_id = ${school_id} and (g.valid_to is null or g.valid_to > ${today}::date)`
  const listed = sql`
    select d.user_id from user_delete_detail d where d.school_id = ${school_id} and d.state not in ('cancelled', 'deleted')`
  return sql`
    select p.user_id, case when l.kind = 1 then 1 when l.kind = 2 then 2 else 3 end as kind
    from (
      select x.user_id, min(x.kind) as kind from (
        select user_id, 1 as kind from (${left('student', leave_days.student)}) s
        union all select user_id, 2 from (${left('staff', leave_days.staff)}) f
        union all select r.user_id, 3 from parent r where r.school_id = ${school_id} and not exists (
          select from guardian_link g where g.school_id = ${school_id} and g.parent_user_id = r.user_id and (g.valid_to is null or g.valid_to > ${addDays(today, -parent_idle_days)}::date))
          and exists (select from guardian_link g where g.school_id = ${school_id} and g.parent_user_id = r.user_id)
          and not exists (select from student s where s.school_id = ${school_id} and s.user_id = r.user_id)
          and not exists (select from staff f where f.school_id = ${school_id} and f.user_id = r.user_id)
      ) x group by x.user_id) l
    join person p on p.school_id = ${school_id} and p.user_id = l.user_id and p.status = 'live'
    where coalesce(l.user_id not in (${here}), true) and coalesce(l.user_id not in (${listed}), true)`
}
