import { schoolDay } from '@campus/school/server'
import { sql } from 'kysely'
import type { Step } from '../db.ts'
import { markPeople } from './dirty.ts'

const [exam_source, hand_way, student, staff] = [6, 4, 1, 2] as const

/**
 * What the invigilators of a session have said of its candidates, as claims of attendance, each version once (chapter 55 §1.1, source
 * 6); who signs
 * others in at his own post is there himself. Cards and faces at the door are claims of their devices already.
 */
export async function claimSigned(step: Step, session_id: string): Promise<void> {
  const { db, school_id, now } = step
  const { rows } = await sql<{ user_id: string; begin_at: Date }>`
    with said as (
      select p.user_id, ${student}::int as person_kind, p.user_id || '/' || p.version as of_person, p.place_id, p.begin_at, p.by_user_id,
        case p.state when 2 then 'late' when 3 then 'absent' when 5 then 'left' else 'present' end as claim,
        case when p.state = 5 then least(${now}::timestamptz, p.end_at) else coalesce(p.sign_at, p.begin_at) end as at
      from exam_presence_v p where p.school_id = ${school_id} and p.session_id = ${session_id} and p.by_user_id is not null
      union all
      select d.user_id, ${staff}::int, d.user_id || '/duty', d.place_id, d.begin_at, d.user_id, 'present', min(coalesce(p.sign_at,
        p.begin_at))
      from exam_duty_v d
      join exam_presence_v p on p.school_id = ${school_id} and p.session_id = ${session_id} and p.by_user_id = d.user_id
      where d.school_id = ${school_id} and d.session_id = ${session_id} group by d.user_id, d.place_id, d.begin_at)
    insert into attend_event (school_id, event_date, source, source_key, user_id, person_kind, event_time, received_at, time_state,
      place_id, direction, identify_type, claim, lesson_day_id, by)
    select ${school_id}::int, (s.begin_at at time zone 'Asia/Shanghai')::date, ${exam_source}, ${session_id} || '/' || s.of_person,
      s.user_id,
      s.person_kind, s.at, ${now}::timestamptz, 0, s.place_id, 0, ${hand_way}, s.claim, ${session_id}::bigint, s.by_user_id
    from said s
    on conflict do nothing returning user_id::text as user_id, event_time as begin_at`.execute(db)
  for (const [date, own] of Map.groupBy(rows, row => schoolDay(row.begin_at))) {
    await markPeople(step, date, own.map(row => row.user_id), 'exam', session_id)
  }
}
