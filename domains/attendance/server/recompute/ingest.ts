import { sql } from 'kysely'
import type { Step } from '../db.ts'
import { markPeople } from './dirty.ts'
import { clock_types, teaching_kinds } from './places.ts'

/** The key of a record of the devices' journals. */
export type RecordKey = { event_date: string; device_id: string; device_seq: string }
export type Journal = 'pass' | 'card'

const board_type = '03'
const [out, accepted, unusable] = [2, 1, 2] as const

/**
 * Turns records of points into claims of attendance, each once (chapter 55 §1.1): a board, terminal or card clock in a teaching place, or a
 * device that
 * attend_point names. What has no person or no point is nothing to attendance. Marks the units of who was seen. @returns how many claims
 * are new
 */
export async function ingest(step: Step, journal: Journal, keys: readonly RecordKey[]): Promise<number> {
  if (keys.length === 0) return 0
  const { db, school_id } = step
  const dates = keys.map(key => key.event_date).toSorted()
  const view = journal === 'pass' ? sql`pass_event_v` : sql`card_read_event_v`
  // Ways of doors (VERIFY_MODE) are not ways of attendance (ATTEND_WAY).
  const way = journal === 'pass' ? sql`case e.verify_mode when 1 then 2 when 2 then 1 when 3 then 3 when 7 then 2 end` : sql`1`
  const taken = journal === 'pass' ? sql`e.pass_state = ${accepted}` : sql`true`
  const { rows } = await sql<{ event_date: string; user_id: string }>`
    insert into attend_event (school_id, event_date, source, source_key, user_id, person_kind, event_time, device_time, received_at,
      time_state, device_id, place_id, direction, identify_type, claim)
    select ${school_id}::int, e.event_date, 1, e.device_id || '/' || e.device_seq, e.user_id, case when e.person_kind = 1 then 1 else 2 end,
      case when e.time_state = ${unusable} then null else e.event_time end, e.device_time, e.received_at,
      e.time_state, e.device_id, coalesce(q.place_id, e.place_id), coalesce(nullif(q.direction, 0), e.direction, 0), case
        when l.device_type = ${board_type} then 5 else ${way} end, 'seen'
    from jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) k(event_date date, device_id bigint, device_seq text)
    join ${view} e on e.school_id = ${school_id} and e.event_date = k.event_date and e.device_id = k.device_id
      and e.device_seq = k.device_seq and e.event_date between ${dates[0]}::date and ${dates.at(-1)}::date
    join device_live_v l on l.school_id = ${school_id} and l.device_id = e.device_id
    left join place_live_v p on p.school_id = ${school_id} and p.place_id = e.place_id
    left join attend_point q on q.school_id = ${school_id} and q.device_id = e.device_id and q.valid_from <= e.event_date
      and (q.valid_to is null or q.valid_to > e.event_date)
    where e.user_id is not null and e.person_kind in (1, 2, 6) and ${taken} and coalesce(q.use, 'both') <> 'none'
      and (q.device_id is not null or (l.device_type = any(${[...clock_types]}::text[])
        and p.place_kind = any(${[...teaching_kinds]}::int[])))
    on conflict do nothing
    returning event_date, user_id::text as user_id`.execute(db)
  for (const [date, own] of Map.groupBy(rows, row => row.event_date)) await markPeople(
    step, date, own.map(row => row.user_id), 'late_event'
  )
  return rows.length
}

/** Ways out of the school end what a clock carries; the passes of a batch mark the units of who left. */
export async function followPasses(step: Step, from_seq: string, to_seq: string): Promise<void> {
  const { db, school_id } = step
  const { rows } = await sql<{ event_date: string; user_id: string }>`
    select distinct p.event_date::text as event_date, p.subject_id::text as user_id from access_pass_v p
    join place_live_v g on g.school_id = ${school_id} and g.place_id = p.place_id and g.place_kind = 9
    where p.school_id = ${school_id} and p.ingest_seq between ${from_seq} and ${to_seq} and p.direction = ${out} and p.result = ${accepted}
      and p.subject_kind in (1, 2) and p.subject_id is not null`.execute(db)
  for (const [date, own] of Map.groupBy(rows, row => row.event_date)) await markPeople(
    step, date, own.map(row => row.user_id), 'late_event'
  )
}
