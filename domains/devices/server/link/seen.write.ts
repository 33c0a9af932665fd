import { devicesEvents } from '@campus/devices/contract'
import { publishEach } from '@kit/server/event'
import { sql } from 'kysely'
import { wrong_ms } from './clock-book.ts'
import type { ClockTold } from './clock-book.ts'
import type { Line } from './line.ts'

/** When a device was last heard of, what its clock is like, and until when its records are here; null: it did not say. */
export type Seen = ClockTold & { school_id: number; device_id: string; at: Date; drained_to?: Date | null }
/** A clock that was wrong is right again when it is as near as this. */
const right_ms = wrong_ms / 2

/** Writes when devices were heard of; one whose clock is wrong from now on is told of, and of one that is right again nobody asks how often it was told the time. */
export async function writeSeen(from: Omit<Line, 'device_id'>, rows: readonly Seen[]): Promise<void> {
  const { db, school_id } = from
  const text = JSON.stringify(rows.map(({ school_id: _own, at, ...row }) => ({ ...row, at: at.toISOString() })))
  const is_right = sql`(s.clock_is_sure and abs(s.clock_skew_ms) <= ${right_ms})`
  const { rows: seen } = await sql<{ device_id: string; skew_ms: number; at: Date; is_turned: boolean }>`
    update device d set last_seen_at = s.at, clock_skew_ms = coalesce(s.clock_skew_ms, d.clock_skew_ms), drained_to = coalesce(s.drained_to, d.drained_to),
      clock_wrong_since = case when ${is_right} then null when s.clock_is_sure and abs(s.clock_skew_ms) > ${wrong_ms} then coalesce(d.clock_wrong_since, s.at) else d.clock_wrong_since end,
      clock_asked_times = case when ${is_right} then 0 else d.clock_asked_times end, clock_refusal = case when ${is_right} then null else d.clock_refusal end
    from jsonb_to_recordset(${text}::jsonb) s(device_id bigint, at timestamptz, clock_skew_ms integer, clock_is_sure boolean, drained_to timestamptz), device was
    where d.school_id = ${school_id} and d.device_id = s.device_id and (d.last_seen_at is null or d.last_seen_at < s.at) and was.school_id = d.school_id and was.device_id = d.device_id
    returning d.device_id::text as device_id, d.clock_skew_ms as skew_ms, d.last_seen_at as at, d.clock_wrong_since is not null and was.clock_wrong_since is null as is_turned`.execute(db)
  await publishEach(from, devicesEvents.clockSkewed, seen.filter(row => row.is_turned).map(({ device_id, skew_ms, at }) => ({ device_id, skew_ms, at: at.toISOString() })))
}
