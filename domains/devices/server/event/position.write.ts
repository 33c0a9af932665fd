import { devicesEvents } from '@campus/devices/contract'
import type { PositionItem } from '@kit/terminal-protocol'
import { publishEach } from '@kit/server/event'
import { sql } from 'kysely'
import type { Line } from '../link/line.ts'
import { recordOf } from './heard.ts'
import type { Hearing, Item } from './heard.ts'
import type { RecordKey } from './pass.write.ts'
import { setAsideTwins } from './twin.write.ts'

/** The row of where a vehicle terminal was. */
export function positionRow(item: Item, { at, lat, lng, speed, heading, acc }: PositionItem, hearing: Hearing) {
  const { event_date, device_seq, event_time, body_hash } = recordOf(item, at, hearing)
  return { event_date, device_seq, at: event_time ?? hearing.now.toISOString(), body_hash, lat, lng, speed: speed ?? null, heading: heading ?? null, acc: acc ?? null }
}

/** Stores where a vehicle was, each point once. */
export async function insertPositions(line: Line, rows: readonly ReturnType<typeof positionRow>[]): Promise<void> {
  if (rows.length === 0) return
  const { db, school_id, device_id, now } = line
  const inserted = await sql<RecordKey>`
    insert into position_event (school_id, event_date, device_id, device_seq, at, received_at, body_hash, lat, lng, speed, heading, acc)
    select ${school_id}::int, e.event_date, ${device_id}::bigint, e.device_seq, e.at, ${now}::timestamptz, e.body_hash, e.lat, e.lng, e.speed, e.heading, e.acc
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) e(event_date date, device_seq text, at timestamptz, body_hash text, lat double precision, lng double precision, speed real, heading smallint, acc real)
    on conflict do nothing
    returning event_date, device_id::text, device_seq`.execute(db)
  await setAsideTwins(line, 'position_event', rows, inserted.rows.length)
  await publishEach(line, devicesEvents.positionRecorded, inserted.rows)
}
