import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../db.ts'
import { face_prio } from './rows.queries.ts'

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
    const news = [...this.#news.values()].flatMap(({ school_id, device_id, taken }) => (['row', 'face', 'content'] as const).flatMap(lane => (taken[lane].length === 0 ? [] : [{ school_id, device_id, lane, ...sumOf(taken[lane]) }])))
    this.#news.clear()
    return news
  }
}

function sumOf(taken: readonly Taken[]) {
  return { rows_done: taken.reduce((sum, one) => sum + one.rows, 0), spent_ms: Math.max(1, Math.round(taken.reduce((sum, one) => sum + one.spent_ms, 0))) }
}

/** Writes how fast devices of a school are. */
export async function writePaces(db: Db, school_id: number, paces: ReturnType<Paces['drain']>): Promise<void> {
  await sql`
    insert into device_pace (school_id, device_id, lane, rows_done, spent_ms)
    select ${school_id}::int, p.device_id, p.lane, p.rows_done, p.spent_ms from jsonb_to_recordset(${JSON.stringify(paces)}::jsonb) p(device_id bigint, lane text, rows_done integer, spent_ms integer)
    on conflict (school_id, device_id, lane) do update set rows_done = excluded.rows_done, spent_ms = excluded.spent_ms`.execute(db)
}

const Queue = z.object({ device_id: z.string(), eta_s: z.number().nullable(), oldest_at: z.date() })

/** In how many seconds each of these devices will have what waits for it, by its own pace, and since when the oldest of it waits; nobody knows the time (null) of one whose pace was never seen, or that is not here. Devices for which nothing waits are left out. */
export async function readQueues(db: Db, school_id: number, device_ids: readonly string[]): Promise<ReadonlyMap<string, { eta_s: number | null; oldest_pending_at: string }>> {
  if (device_ids.length === 0) return new Map()
  const { rows } = await sql`
    with waiting as (
      select r.device_id, ${lane_of_row} as lane, count(*) as n, min(r.wanted_at) as oldest_at from sync_row r
      where r.school_id = ${school_id} and r.device_id = any(${[...device_ids]}::bigint[]) and r.state in ('pending', 'sent', 'unknown') group by 1, 2)
    select w.device_id::text, min(w.oldest_at) as oldest_at,
      case when bool_and(p.rows_done is not null and d.online and d.is_push) then ceil(sum(w.n * p.spent_ms::float8 / p.rows_done) / 1000)::int end as eta_s
    from waiting w join device d on d.school_id = ${school_id} and d.device_id = w.device_id
    left join device_pace p on p.school_id = ${school_id} and p.device_id = w.device_id and p.lane = w.lane
    group by w.device_id`.execute(db)
  return new Map(z.array(Queue).parse(rows).map(({ device_id, eta_s, oldest_at }) => [device_id, { eta_s, oldest_pending_at: oldest_at.toISOString() }]))
}
