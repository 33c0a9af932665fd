import { CardRead, minutes_shown, reads_shown } from '@campus/devices/contract'
import { inPlaces, placeThen } from '@campus/places/server'
import type { PlaceScope } from '@campus/places/server'
import { runKept } from '@kit/server/db'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
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
const columns_read = sql`school_id, event_date, device_id, device_seq, at, is_time_sure, place_id, direction, user_id, verify_mode, pass_state, code_masked`
const in_order = sql`order by e.at desc, e.event_date desc, e.device_id, e.device_seq`

/**
 * What doors and readers have seen since a moment, as one table. What is of a known time and what came without one are asked for apart, and each place by itself: its rows are found by the index of places and times, and a door's page
 * costs what the door has seen and not what the school has. `most`: the latest so many of each place and no more.
 */
function reads({ school_id, place_ids }: Omit<Asked, 'now'>, since: Date, most: number | null) {
  const [from, day] = [since.toISOString(), new Date(since.getTime() - day_ms).toISOString().slice(0, 10)]
  const times = [[sql`event_time`, sql`event_time >= ${from}::timestamptz`], [sql`received_at`, sql`event_time is null and received_at >= ${from}::timestamptz`]] as const
  const arms = sources.flatMap(([table, known_by]) => times.map(([at, is_since]) => {
    const arm = (here: RawBuilder<unknown>) => sql`
    select school_id, event_date, device_id, device_seq, ${at} as at, time_state < 2 as is_time_sure, place_id, direction, user_id, ${known_by}, code_masked
    from ${sql.table(table)} where school_id = ${school_id} and event_date >= ${day}::date${here} and ${is_since}`
    if (place_ids === null) return arm(sql``)
    // An offset of nothing keeps the places apart.
    const end = most === null ? sql`offset 0` : sql`order by ${at} desc, event_date desc, device_id, device_seq limit ${most}`
    return sql`select e.* from unnest(${[...place_ids]}::bigint[]) u(here) cross join lateral (${arm(sql` and place_id = u.here`)} ${end}) e`
  }))
  return sql`(${sql.join(arms, sql` union all `)}) e (${columns_read})`
}

/**
 * In this transaction statements that are kept are planned once for all values. There are dozens of months, and to plan a question for readings took ten times as long as to answer it; what it costs hangs on the number of places alone,
 * and the database would not believe that of a plan for all values.
 */
async function planOnce(db: Db): Promise<void> {
  await sql`select set_config('plan_cache_mode', 'force_generic_plan', true)`.execute(db)
}

/** The places that somebody sees, of them those in and below `place_id`, which is among them if he sees it; null: all, and readings without a place too. */
export async function placesSeen(db: Db, { school_id, scope, place_id }: { school_id: number; scope: PlaceScope; place_id?: string | undefined }): Promise<string[] | null> {
  if (scope === 'all' && place_id === undefined) return null
  await planOnce(db)
  const below = place_id === undefined ? sql`` : sql` join place_live_v b on b.school_id = p.school_id and b.place_id = ${place_id} and p.node_path >= b.node_path and p.node_path < left(b.node_path, -1) || '0'`
  const { rows } = await runKept(db, `devices.places_seen${scope === 'all' ? '' : '_of'}${place_id === undefined ? '' : '_below'}`, sql<{ place_id: string }>`
    select p.place_id::text as place_id from place_live_v p${below} where p.school_id = ${school_id} and ${inPlaces('p.node_path', scope)}`.compile(db))
  return rows.map(row => row.place_id)
}

/** Asks for readings; of some places by a statement that is kept. */
async function ask<T>(db: Db, { place_ids }: Pick<Asked, 'place_ids'>, name: string, query: RawBuilder<T>): Promise<T[]> {
  return place_ids === null ? (await query.execute(db)).rows : (await runKept(db, name, query.compile(db))).rows
}

const columns = (school_id: number) => sql`e.event_date::text || '/' || e.device_id || '/' || e.device_seq as read_id, e.at, e.is_time_sure, e.device_id::text, d.device_name, e.place_id::text, p.node_path_name, nullif(${placeThen(school_id, 'e.place_id', 'e.at')}, p.node_path_name) as then_name, p.node_path, e.direction::int,
  e.user_id::text, s.user_name, s.dept_name, e.verify_mode::int, e.pass_state::int, e.code_masked`
const joined = (school_id: number) => sql`join device d on d.school_id = ${school_id} and d.device_id = e.device_id
  left join place_live_v p on p.school_id = ${school_id} and p.place_id = e.place_id
  left join subject s on s.school_id = ${school_id} and s.user_id = e.user_id`

/** The latest readings of a day in the places somebody sees, newest first. */
export async function readLatest(db: Db, asked: Asked): Promise<CardRead[]> {
  const rows = await ask(db, asked, 'devices.latest_reads', sql<Record<string, unknown>>`
    select ${columns(asked.school_id)} from (select * from ${reads(asked, new Date(asked.now.getTime() - day_ms), reads_shown)} ${in_order} limit ${reads_shown}) e ${joined(asked.school_id)} ${in_order}`)
  return rows.map(row => placed(row).read)
}

/** How many readings there were in each of the last minutes, the running one last. */
export async function countMinutes(db: Db, asked: Asked): Promise<number[]> {
  const first = Math.floor(asked.now.getTime() / minute_ms) - minutes_shown + 1
  const rows = await ask(db, asked, 'devices.reads_a_minute', sql<{ minute: number; count: number }>`
    select (floor(extract(epoch from e.at) / 60) - ${first}::int)::int as minute, count(*)::int as count from ${reads(asked, new Date(first * minute_ms), null)} group by 1`)
  const counted = new Map(rows.map(row => [row.minute, row.count]))
  return Array.from({ length: minutes_shown }, (_, minute) => counted.get(minute) ?? 0)
}

/** These readings, with their places. */
export async function readThese(db: Db, school_id: number, keys: readonly RecordKey[], now: Date): Promise<PlacedRead[]> {
  const { rows } = await sql<Record<string, unknown>>`
    select ${columns(school_id)} from ${reads({ school_id, place_ids: null }, new Date(now.getTime() - day_ms), null)} ${joined(school_id)}
    join jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) k(event_date date, device_id bigint, device_seq text) on k.event_date = e.event_date and k.device_id = e.device_id and k.device_seq = e.device_seq
    order by e.at`.execute(db)
  return rows.map(placed)
}

function placed({ node_path, at, ...row }: Record<string, unknown>): PlacedRead {
  const read = CardRead.parse({ ...row, at: at instanceof Date ? at.toISOString() : at })
  return { read, node_path: typeof node_path === 'string' ? node_path : null }
}
