import type { StateUp } from '@kit/terminal-protocol'
import { sql } from 'kysely'
import type { Db } from '../db.ts'

const bucket_ms = 5 * 60_000

/** How a device was at its last word: percent, degrees, MiB, records that wait, dBm, milliseconds. */
export type Metric = {
  school_id: number
  device_id: string
  bucket: string
  cpu_pct: number | null
  mem_pct: number | null
  temp_c: number | null
  disk_free_mb: number | null
  queue_len: number | null
  rssi: number | null
  skew_ms: number
  persons: number | null
  faces: number | null
  cards: number | null
}

/** What a heartbeat says, in its five minutes. */
export function metricOf({ school_id, device_id }: { school_id: number; device_id: string }, { cpu, mem, temp, disk, rssi, counts }: StateUp, now: Date, skew_ms: number): Metric {
  const bucket = new Date(Math.floor(now.getTime() / bucket_ms) * bucket_ms).toISOString()
  return {
    school_id, device_id, bucket, skew_ms: bounded(skew_ms, 2_147_483_647) ?? 0, cpu_pct: bounded(cpu, 100), mem_pct: bounded(mem, 100), temp_c: bounded(temp, 1000), disk_free_mb: bounded(disk, 2_147_483_647), rssi: bounded(rssi, 1000),
    queue_len: bounded(counts?.records_waiting, 2_147_483_647), persons: bounded(counts?.persons, 2_147_483_647), faces: bounded(counts?.faces, 2_147_483_647), cards: bounded(counts?.cards, 2_147_483_647),
  }
}

/** Writes what was heard; within five minutes the last word stands. */
export async function writeMetrics(db: Db, school_id: number, metrics: readonly Metric[]): Promise<void> {
  await sql`
    insert into device_metric (school_id, device_id, bucket, cpu_pct, mem_pct, temp_c, disk_free_mb, queue_len, rssi, skew_ms, persons, faces, cards)
    select ${school_id}::int, m.device_id, m.bucket, m.cpu_pct, m.mem_pct, m.temp_c, m.disk_free_mb, m.queue_len, m.rssi, m.skew_ms, m.persons, m.faces, m.cards
    from jsonb_to_recordset(${JSON.stringify(metrics)}::jsonb) m(device_id bigint, bucket timestamptz, cpu_pct smallint, mem_pct smallint, temp_c smallint, disk_free_mb integer, queue_len integer, rssi smallint, skew_ms integer, persons integer, faces integer, cards integer)
    on conflict (school_id, device_id, bucket) do update set cpu_pct = excluded.cpu_pct, mem_pct = excluded.mem_pct, temp_c = excluded.temp_c, disk_free_mb = excluded.disk_free_mb, queue_len = excluded.queue_len, rssi = excluded.rssi,
      skew_ms = excluded.skew_ms, persons = excluded.persons, faces = excluded.faces, cards = excluded.cards`.execute(db)
}

/** A whole number that its column holds; what is absurd is not known. */
function bounded(value: number | undefined, most: number): number | null {
  return value === undefined || Math.abs(value) > most ? null : Math.round(value)
}
