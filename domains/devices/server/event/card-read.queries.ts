import { CardRead, minutes_shown, reads_shown } from '@campus/devices/contract'
import { inPlaces } from '@campus/places/server'
import type { PlaceScope } from '@campus/places/server'
import { sql } from 'kysely'
import type { Db } from '../db.ts'
import type { RecordKey } from './pass.write.ts'

const by_card = 2
const [day_ms, minute_ms] = [86_400_000, 60_000]

/** `place_ids`: in these places alone; null in all and in none. */
type Asked = { school_id: number; place_ids: readonly string[] | null; now: Date }
/** A reading with the places above its own, for whoever watches one of them. */
export type PlacedRead = { read: CardRead; node_path: string | null }

/** Doors and readers, each with how somebody was known and what came of it. */
const sources = [['pass_event', sql`verify_mode, pass_state`], ['card_read_event', sql`${by_card}::smallint, null::smallint`]] as const

/**
 * What doors and readers have seen since a moment, as one table. What is of a known time and what came without one are asked for
 * apart: each finds its rows by the index of places and times, and a door's page costs what the door has seen and not what the school has.
 */
function reads({ school_id, place_ids }: Omit<Asked, 'now'>, since: Date) {
  const [from, day] = [since.toISOString(), new Date(since.getTime() - day_ms).toISOString().slice(0, 10)]
  const here = place_ids === null ? sql`` : sql` and place_id = any(${[...place_ids]}::bigint[])`
  const times = [sql`event_time >= ${from}::timestamptz`, sql`event_time is null and received_at >= ${from}::timestamptz`]
  const arms = sources.flatMap(([table, known_by]) => times.map(time => sql`
    select school_id, event_date, device_id, device_seq, coalesce(event_time, received_at) as at, time_state < 2 as is_time_sure, place_id, direction, user_id, ${known_by}, code_masked
    from ${sql.table(table)} where school_id = ${school_id} and event_date >= ${day}::date${here} and ${time}`))
  return sql`(${sql.join(arms, sql` union all `)}) e (school_id, event_date, device_id, device_seq, at, is_time_sure, place_id, direction, user_id, verify_mode, pass_state, code_masked)`
}

/** The places that somebody sees and that lie below one; null: all, and readings without a place too. */
export async function placesSeen(db: Db, { school_id, scope, below }: { school_id: number; scope: PlaceScope; below?: string }): Promise<string[] | null> {
  if (scope === 'all' && below === undefined) return null
  const { rows } = await sql<{ place_id: string }>`
    select p.place_id::text as place_id from place_live_v p where p.school_id = ${school_id} and ${inPlaces('p.node_path', scope)} and ${inPlaces('p.node_path', below === undefined ? 'all' : [below])}`.execute(db)
  return rows.map(row => row.place_id)
}

const columns = sql`e.event_date::text || '/' || e.device_id || '/' || e.device_seq as read_id, e.at, e.is_time_sure, e.device_id::text, d.device_name, e.place_id::text, p.node_path_name, p.node_path, e.direction::int,
  e.user_id::text, s.user_name, s.dept_name, e.verify_mode::int, e.pass_state::int, e.code_masked`
const joined = sql`join device d on d.school_id = e.school_id and d.device_id = e.device_id
  left join place_live_v p on p.school_id = e.school_id and p.place_id = e.place_id
  left join subject s on s.school_id = e.school_id and s.user_id = e.user_id`

/** The latest readings of a day in the places somebody sees, newest first. */
export async function readLatest(db: Db, asked: Asked): Promise<CardRead[]> {
  const in_order = sql`order by e.at desc, e.event_date desc, e.device_id, e.device_seq`
  const { rows } = await sql<Record<string, unknown>>`
    select ${columns} from (select * from ${reads(asked, new Date(asked.now.getTime() - day_ms))} ${in_order} limit ${reads_shown}) e ${joined} ${in_order}`.execute(db)
  return rows.map(row => placed(row).read)
}

/** How many readings there were in each of the last minutes, the running one last. */
export async function countMinutes(db: Db, asked: Asked): Promise<number[]> {
  const first = Math.floor(asked.now.getTime() / minute_ms) - minutes_shown + 1
  const { rows } = await sql<{ minute: number; count: number }>`
    select (floor(extract(epoch from e.at) / 60) - ${first})::int as minute, count(*)::int as count from ${reads(asked, new Date(first * minute_ms))} group by 1`.execute(db)
  const counted = new Map(rows.map(row => [row.minute, row.count]))
  return Array.from({ length: minutes_shown }, (_, minute) => counted.get(minute) ?? 0)
}

/** These readings, with their places. */
export async function readThese(db: Db, school_id: number, keys: readonly RecordKey[], now: Date): Promise<PlacedRead[]> {
  const { rows } = await sql<Record<string, unknown>>`
    select ${columns} from ${reads({ school_id, place_ids: null }, new Date(now.getTime() - day_ms))} ${joined}
    join jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) k(event_date date, device_id bigint, device_seq text) on k.event_date = e.event_date and k.device_id = e.device_id and k.device_seq = e.device_seq
    order by e.at`.execute(db)
  return rows.map(placed)
}

function placed({ node_path, at, ...row }: Record<string, unknown>): PlacedRead {
  const read = CardRead.parse({ ...row, at: at instanceof Date ? at.toISOString() : at })
  return { read, node_path: typeof node_path === 'string' ? node_path : null }
}
