import { devicesEvents } from '@campus/devices/contract'
import { publish } from '@kit/server/event'
import { sql } from 'kysely'
import type { Line } from './line.ts'

/** When a device was last heard of, and how far its clock is behind ours, and until when its records are here; null: it did not say. */
export type Seen = { school_id: number; device_id: string; at: Date; clock_skew_ms: number | null; drained_to?: Date | null }
/** A clock that is further away than this is wrong (chapter 30 rule 15). */
const wrong_ms = 60_000

/** Writes when devices were heard of; one whose clock is wrong from now on is told of. */
export async function writeSeen(from: Omit<Line, 'device_id'>, rows: readonly Seen[]): Promise<void> {
  const { db, school_id } = from
  const text = JSON.stringify(rows.map(({ device_id, at, clock_skew_ms, drained_to }) => ({ device_id, at: at.toISOString(), clock_skew_ms, drained_to })))
  const { rows: seen } = await sql<{ device_id: string; skew_ms: number; at: Date; is_turned: boolean | null }>`
    update device d set last_seen_at = s.at, clock_skew_ms = coalesce(s.clock_skew_ms, d.clock_skew_ms), drained_to = coalesce(s.drained_to, d.drained_to)
    from jsonb_to_recordset(${text}::jsonb) s(device_id bigint, at timestamptz, clock_skew_ms integer, drained_to timestamptz), device was
    where d.school_id = ${school_id} and d.device_id = s.device_id and (d.last_seen_at is null or d.last_seen_at < s.at) and was.school_id = d.school_id and was.device_id = d.device_id
    returning d.device_id::text as device_id, d.clock_skew_ms as skew_ms, d.last_seen_at as at, abs(d.clock_skew_ms) > ${wrong_ms} and abs(coalesce(was.clock_skew_ms, 0)) <= ${wrong_ms} as is_turned`.execute(db)
  for (const { device_id, skew_ms, at } of seen.filter(row => row.is_turned)) await publish(from, devicesEvents.clockSkewed, { device_id, skew_ms, at: at.toISOString() })
}
