import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'

/** A part of a day that was: every `of`th person, of those who pass doors, until a moment. `except`: doors that were not there yet, by their serial numbers. */
export type PassedDay = { day: string; until: Date; part: { nth: number; of: number }; except: readonly string[] }

/** What goes before the key of such a pass: which part wrote it. */
const key_of = (nth: number) => `past:${nth}:`
/** Whom a door does not know, in a part of a day, and how many seconds later than it happened a pass is told. */
const [strangers, told_s] = [5, 2] as const

/**
 * When people pass, in minutes of the day: a beginning, and twice up to so many minutes more, so that most come in the middle. Whoever lives in the school passes the doors of his house, all others its gates; of a hundred so many do on a day.
 * `habit`: whoever goes out at noon comes back. `straggles`: one in eight comes within three times as long.
 */
const times = [
  { slot: 'in', is_house: false, way: 1, begins: 430, spread: 20, share: 100, habit: 'day' }, { slot: 'noon', is_house: false, way: 2, begins: 703, spread: 14, share: 92, habit: 'noon' },
  { slot: 'back', is_house: false, way: 1, begins: 798, spread: 20, share: 92, habit: 'noon' }, { slot: 'out', is_house: false, way: 2, begins: 992, spread: 36, share: 100, habit: 'day' },
  { slot: 'rise', is_house: true, way: 2, begins: 378, spread: 14, share: 100, habit: 'day' }, { slot: 'rest', is_house: true, way: 1, begins: 735, spread: 16, share: 92, habit: 'rest' },
  { slot: 'wake', is_house: true, way: 2, begins: 806, spread: 10, share: 92, habit: 'rest' }, { slot: 'night', is_house: true, way: 1, begins: 1262, spread: 18, share: 100, habit: 'day' },
] as const

/**
 * Writes who passed which door on a day that was, in one statement, for a school that is made with a past: nobody is told. Who comes when follows from his number and the day, so that the same day is the same however often it is
 * written; what is there stays. @returns how many passes are new
 */
export async function createPasses(db: QueryExecutorProvider, school_id: number, { day, until, part: { nth, of }, except }: PassedDay): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    with door as materialized (
      select d.device_id, p.place_id, p.direction, p.direction = 3 as is_house, d.online, d.last_seen_at, row_number() over (partition by p.place_id, p.direction order by d.device_id) - 1 as nth, count(*) over (partition by p.place_id, p.direction) as n
      from device d join device_place p on p.school_id = d.school_id and p.device_id = d.device_id and p.valid_to is null
      where d.school_id = ${school_id} and d.device_type = '01' and d.lifecycle <> 'retired' and d.device_sn <> all(${[...except]}::text[]) and (d.online or d.last_seen_at is null or d.last_seen_at >= ${day}::date::timestamp at time zone 'Asia/Shanghai')),
    person as materialized (
      select distinct on (g.user_id) g.user_id, s.person_kind, g.place_id, d.is_house, hashtextextended(g.user_id || ${day}, 30) & 2147483647 as h from subject_grant g join subject s on s.school_id = g.school_id and s.user_id = g.user_id and s.live
      join (select distinct place_id, is_house from door) d on d.place_id = g.place_id
      where g.school_id = ${school_id} and s.school_id = ${school_id} and g.device_id is null and g.user_id % ${of} = ${nth} order by g.user_id, d.is_house desc, hashtextextended(g.user_id || ${day} || g.place_id, 30)),
    come as (
      select o.user_id, o.person_kind, o.place_id, t.slot, t.way, t.begins, t.spread, hashtextextended(o.user_id || ${day} || t.slot, 30) & 2147483647 as h
      from person o join jsonb_to_recordset(${JSON.stringify(times)}::jsonb) t(slot text, is_house boolean, way smallint, begins int, spread int, share int, habit text) on t.is_house = o.is_house
      where o.h % 100 < 97 and (hashtextextended(o.user_id || ${day} || t.habit, 30) & 2147483647) % 100 < t.share
      union all
      select null, null, d.place_id, 'none' || k.no, d.direction, 400 + k.no * 150, 60, hashtextextended(${day} || d.place_id || k.no || ${nth}::text, 30) & 2147483647 from door d cross join generate_series(1, ${strangers}::int) k(no) where not d.is_house and d.nth = k.no % d.n and d.direction = 1),
    timed as (
      select c.*, d.device_id, d.direction, (${day}::date::timestamp at time zone 'Asia/Shanghai') + ((c.begins + case when c.h % 8 = 0 then (c.h / 8) % (c.spread * 3) else (c.h / 8) % c.spread + (c.h / 512) % c.spread end) * 60 + (c.h / 32768) % 60) * interval '1 second' as at, d.online, d.last_seen_at
      from come c join door d on d.place_id = c.place_id and d.direction in (c.way, 3) and d.nth = (c.h / 1024) % d.n)
    insert into pass_event (school_id, event_date, device_id, device_seq, device_time, received_at, event_time, time_state, body_hash, user_id, person_kind, verify_mode, pass_state, reason_raw, direction, place_id, code_masked)
    select ${school_id}::int, ${day}::date, device_id, ${key_of(nth)}::text || slot || ':' || coalesce(user_id, place_id), at, at + ${told_s} * interval '1 second', at, 0, to_hex(h), user_id, person_kind, 2, case when user_id is null then 2 else 1 end,
      case when user_id is null then 'no_right' end, way, place_id, case when user_id is null then '****' || upper(lpad(to_hex(h % 65536), 4, '0')) end
    from timed where at < ${until}::timestamptz and (online or last_seen_at is null or at < last_seen_at)
    on conflict do nothing`.execute(db)
  return Number(numAffectedRows)
}

/** Which parts of a day were written already, to its end. */
export async function passedParts(db: QueryExecutorProvider, school_id: number, day: string): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ nth: number }>`select distinct split_part(device_seq, ':', 2)::int as nth from pass_event where school_id = ${school_id} and event_date = ${day}::date and device_seq like 'past:%:night:%'`.execute(db)
  return new Set(rows.map(row => row.nth))
}
