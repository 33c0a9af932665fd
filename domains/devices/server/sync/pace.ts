import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../db.ts'
import { paceOf, secondsLeft } from './eta.ts'
import { face_prio } from './sorting.ts'

/** Commands from which it is known how fast a device takes rows (chapter 30 rule 7). */
const commands_counted = 20
const content_prio = 9
/** Faces and files are fetched by the device one after the other: they have a pace of their own. */
type Lane = 'row' | 'face' | 'content'
type Taken = { rows: number; spent_ms: number }
type Device = { school_id: number; device_id: string }
type Kept = Device & { taken: Record<Lane, Taken[]> }

const lane_of_row = sql`case r.prio when ${face_prio} then 'face' when ${content_prio} then 'content' else 'row' end`

function laneOf(prio: number | undefined): Lane {
  return prio === face_prio ? 'face' : prio === content_prio ? 'content' : 'row'
}

/** How fast devices have taken their last commands, at one node. */
export class Paces {
  readonly #kept = new Map<string, Kept>()
  readonly #news = new Map<string, Kept>()

  /** A device has answered to a command of rows. */
  note({ school_id, device_id }: Device, rows: readonly { prio: number }[], spent_ms: number): void {
    if (rows.length === 0) return
    const name = `${school_id} ${device_id}`
    const kept = this.#kept.get(name) ?? { school_id, device_id, taken: { row: [], face: [], content: [] } }
    const lane = laneOf(rows[0]?.prio)
    kept.taken[lane] = [...kept.taken[lane], { rows: rows.length, spent_ms }].slice(-commands_counted)
    this.#kept.set(name, kept)
    this.#news.set(name, kept)
  }

  /** A device is gone from this node. */
  forget({ school_id, device_id }: Device): void {
    this.#kept.delete(`${school_id} ${device_id}`)
  }

  /** What is new since the last time. */
  drain() {
    const news = [...this.#news.values()].flatMap(({ school_id, device_id, taken }) => (['row', 'face', 'content'] as const).flatMap(lane => (taken[lane].length === 0 ? [] : [{ school_id, device_id, lane, ...paceOf(taken[lane]) }])))
    this.#news.clear()
    return news
  }
}

/** Writes how fast devices of a school are. */
export async function writePaces(db: Db, school_id: number, paces: ReturnType<Paces['drain']>): Promise<void> {
  await sql`
    insert into device_pace (school_id, device_id, lane, rows_done, spent_ms)
    select ${school_id}::int, p.device_id, p.lane, p.rows_done, p.spent_ms from jsonb_to_recordset(${JSON.stringify(paces)}::jsonb) p(device_id bigint, lane text, rows_done integer, spent_ms integer)
    on conflict (school_id, device_id, lane) do update set rows_done = excluded.rows_done, spent_ms = excluded.spent_ms`.execute(db)
}

const Lane = z.object({ device_id: z.string(), is_here: z.boolean(), rows: z.number(), under_way: z.number(), sent_at: z.date().nullable(), oldest_at: z.date(), rows_done: z.number().nullable(), spent_ms: z.number().nullable() })
type Lanes = z.output<typeof Lane>
type Queue = { eta_s: number | null; oldest_pending_at: string }

/** In how many seconds each of these devices will have what waits for it, by its own pace, and since when the oldest of it waits; nobody knows the time (null) of one whose pace was never seen, or that is not here. Devices for which nothing waits are left out. */
export async function readQueues(db: Db, school_id: number, device_ids: readonly string[], now: Date): Promise<ReadonlyMap<string, Queue>> {
  if (device_ids.length === 0) return new Map()
  const { rows } = await sql`
    with waiting as (
      select r.device_id, ${lane_of_row} as lane, count(*)::int as rows, (count(*) filter (where r.state = 'sent'))::int as under_way, max(r.sent_at) filter (where r.state = 'sent') as sent_at, min(r.wanted_at) as oldest_at from sync_row r
      where r.school_id = ${school_id} and r.device_id = any(${[...device_ids]}::bigint[]) and r.state in ('pending', 'sent', 'unknown') group by 1, 2)
    select w.device_id::text, d.online and d.is_push as is_here, w.rows, w.under_way, w.sent_at, w.oldest_at, p.rows_done, p.spent_ms
    from waiting w join device d on d.school_id = ${school_id} and d.device_id = w.device_id
    left join device_pace p on p.school_id = ${school_id} and p.device_id = w.device_id and p.lane = w.lane`.execute(db)
  return new Map([...Map.groupBy(z.array(Lane).parse(rows), row => row.device_id)].map(([device_id, lanes]) => [device_id, queueOf(lanes, now)]))
}

function queueOf(lanes: readonly Lanes[], now: Date): Queue {
  const oldest = Math.min(...lanes.map(lane => lane.oldest_at.getTime()))
  const waiting = lanes.map(({ rows, under_way, sent_at, rows_done, spent_ms }) => ({ rows, under_way, since_ms: sent_at ? now.getTime() - sent_at.getTime() : 0, pace: rows_done === null || spent_ms === null ? null : { rows_done, spent_ms } }))
  return { eta_s: lanes.every(lane => lane.is_here) ? secondsLeft(waiting) : null, oldest_pending_at: new Date(oldest).toISOString() }
}
