import { devicesEvents } from '@campus/devices/contract'
import { asTables } from '@kit/server/db'
import { consumeMany } from '@kit/server/event'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import type { ExamsDb } from '../db.ts'
import { sign_before_ms } from '../control/rights.ts'
import { late_until_ms } from './presence.service.ts'

type Key = { event_date: string; device_id: string; device_seq: string }
const { passRecorded, cardRead } = devicesEvents
const [at_once, accepted, unusable] = [500, 1, 2] as const
const [present, late] = [1, 2] as const

/**
 * A card or a face at the door of the own exam room signs in: present until the session begins, late until a quarter of an hour after it; who comes later needs an
 * invigilator (chapter 55 rule 32). What is signed already stays.
 */
async function signAtDoor(handle: QueryExecutorProvider, school_id: number, keys: readonly Key[], journal: 'pass' | 'card'): Promise<void> {
  if (keys.length === 0) return
  const dates = keys.map(key => key.event_date).toSorted()
  const view = journal === 'pass' ? sql`pass_event_v` : sql`card_read_event_v`
  const taken = journal === 'pass' ? sql`e.pass_state = ${accepted}` : sql`true`
  await sql`
    insert into exam_presence (school_id, session_id, user_id, exam_id, state, sign_at)
    select ${school_id}::int, t.session_id, t.user_id, t.exam_id,
      case when min(e.event_time) <= t.begin_at then ${present}::int else ${late}::int end, min(e.event_time)
    from jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) k(event_date date, device_id bigint, device_seq text)
    join ${view} e on e.school_id = ${school_id} and e.event_date = k.event_date and e.device_id = k.device_id
      and e.device_seq = k.device_seq
      and e.event_date between ${dates[0]}::date and ${dates.at(-1)}::date
    join exam_seat t on t.school_id = ${school_id} and t.user_id = e.user_id
    join exam x on x.school_id = ${school_id} and x.exam_id = t.exam_id and x.state = 2
    join exam_room_session b on b.school_id = ${school_id} and b.session_id = t.session_id and b.room_id = t.room_id
      and b.place_id = e.place_id
    where e.time_state <> ${unusable} and ${taken} and e.event_time >= t.begin_at - ${sign_before_ms}::float8 * interval '1 millisecond'
      and e.event_time <= t.begin_at + ${late_until_ms}::float8 * interval '1 millisecond'
      and not exists (select 1 from exam_presence_room c where c.school_id = ${school_id} and c.session_id = t.session_id
        and c.room_id = t.room_id)
    group by t.session_id, t.user_id, t.exam_id, t.begin_at
    on conflict (school_id, session_id, user_id) do nothing`.execute(asTables<ExamsDb>(handle))
}

export const examConsumers = [
  consumeMany('exams.passes', { event: passRecorded.name, at_once }, passRecorded.payload, ({ db, school_id }, keys) => signAtDoor(db,
    school_id, keys, 'pass')),
  consumeMany('exams.cards', { event: cardRead.name, at_once }, cardRead.payload, ({ db, school_id }, keys) => signAtDoor(db, school_id,
    keys, 'card')),
]
