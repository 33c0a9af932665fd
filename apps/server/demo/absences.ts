import { addDays } from '@campus/calendar/contract'
import { open } from '@campus/leave/server'
import type { LeaveViews } from '@campus/leave/server'
import type { TeachingViews } from '@campus/teaching/server'
import { asTables } from '@kit/server/db'
import { sql } from 'kysely'
import type { Work } from './school-work.ts'

const absent = 4
const over_a_weekend = 3
const by_school = 5

/** Teachers who are ill today and on the next school day: their lessons wait for a cover (chapter 50 §8). */
export async function fillAbsences({ app, db, school_id, today, now }: Work): Promise<void> {
  const { rows } = await sql<{ user_id: string }>`
    select u.user_id::text as user_id from lesson_day_v d cross join lateral unnest(d.teacher_ids) as u(user_id)
    where d.school_id = ${school_id} and d.date between ${today}::date and ${addDays(today, over_a_weekend)}::date
      and u.user_id not in (select s.user_id from leave_span_v s where s.school_id = ${school_id} and s.end_at > ${now}::timestamptz)
    group by u.user_id order by count(*) desc, u.user_id limit ${absent}`.execute(asTables<TeachingViews & LeaveViews>(db))
  const span = { begin: new Date(`${today}T00:00:00+08:00`), end: new Date(`${addDays(today, over_a_weekend)}T18:00:00+08:00`) }
  for (const { user_id } of rows) {
    await open({ app, db, school_id, now }, { user_id, leave_type: '02', reason_code: '2', reason: '发热就诊', ...span, by: null, apply_as: by_school })
  }
}
