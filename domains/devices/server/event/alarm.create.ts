import type { AlarmKind } from '@campus/devices/contract'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'

/** An alarm that was, or has not ended yet (`cleared_at` null). */
export type PastAlarm = { device_id: string; alarm_kind: AlarmKind; at: Date; cleared_at: Date | null }

/** Writes alarms of days gone by, for a school that is made with a past: nobody is told. An alarm of a line is known by when the device was last heard of, as the server itself names it. */
export async function createAlarms(db: QueryExecutorProvider, school_id: number, alarms: readonly PastAlarm[]): Promise<void> {
  await sql`
    insert into alarm_event (school_id, event_date, device_id, device_seq, alarm_kind, at, received_at, body_hash, place_id, cleared_at)
    select ${school_id}::int, (a.at at time zone 'Asia/Shanghai')::date, a.device_id, a.alarm_kind || ':' || (extract(epoch from case when a.alarm_kind = 'offline' then coalesce(d.last_seen_at, a.at) else a.at end) * 1000)::bigint, a.alarm_kind, a.at, a.at, left(md5(a.device_id::text || a.at::text), 16),
      (select p.place_id from device_place p where p.school_id = ${school_id} and p.device_id = a.device_id and p.valid @> a.at), a.cleared_at
    from jsonb_to_recordset(${JSON.stringify(alarms)}::jsonb) a(device_id bigint, alarm_kind text, at timestamptz, cleared_at timestamptz)
    join device d on d.school_id = ${school_id} and d.device_id = a.device_id
    on conflict do nothing`.execute(db)
}
