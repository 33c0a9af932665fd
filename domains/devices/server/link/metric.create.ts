import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'

/** Boxes, recorders and the terminals of buses are looked at by the five minutes; of all others one word an hour is kept of what was. */
const watched = ['07', '08', '15'] as const
/** Boards and screens are off at night. */
const [showing, night_ends, night_begins] = [['03', '21'], 390, 1320] as const

/** Writes how devices were on a day that was, in one statement, for a school that is made with a past; the same day is the same however often it is written. `except`: those that were not there yet, by their serial numbers. @returns how many rows are new */
export async function createMetrics(db: QueryExecutorProvider, school_id: number, { day, until, except }: { day: string; until: Date; except: readonly string[] }): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    with bucket as (
      select d.device_id, d.device_type, b.at, n.minute, hashtextextended(d.device_sn || ${day} || n.minute, 30) & 2147483647 as h, hashtextextended(d.device_sn, 30) & 2147483647 as own
      from device d join device_model m on m.model_code = d.model_code and m.driver in ('jdev', 'vf105')
      cross join lateral generate_series(0, 1439, case when d.device_type = any(${[...watched]}::text[]) then 5 else 60 end) n(minute)
      cross join lateral (select (${day}::date::timestamp at time zone 'Asia/Shanghai') + n.minute * interval '1 minute' as at) b
      where d.school_id = ${school_id} and d.lifecycle <> 'retired' and d.device_sn <> all(${[...except]}::text[]) and b.at < ${until}::timestamptz and (d.online or d.last_seen_at is null or b.at < d.last_seen_at)
        and (d.device_type <> all(${[...showing]}::text[]) or n.minute between ${night_ends} and ${night_begins}))
    insert into device_metric (school_id, device_id, bucket, cpu_pct, mem_pct, temp_c, disk_free_mb, queue_len, rssi, skew_ms)
    select ${school_id}::int, device_id, at, 8 + own % 18 + (h / 64) % 9 + case when minute between 420 and 1080 then 14 else 0 end, 32 + own % 22 + (h / 4096) % 4, 31 + own % 9 + h % 3 + case when minute between 600 and 960 then 4 else 0 end,
      2600 + own % 1800 - minute / 60, 0, -46 - own % 20 - h % 5, h % 240 - 120
    from bucket on conflict do nothing`.execute(db)
  return Number(numAffectedRows)
}

/** Whether a day was written already, to its last hour. */
export async function hasMetrics(db: QueryExecutorProvider, school_id: number, day: string): Promise<boolean> {
  const { rows } = await sql`select from device_metric where school_id = ${school_id} and bucket = (${day}::date::timestamp at time zone 'Asia/Shanghai') + interval '23 hours' limit 1`.execute(db)
  return rows.length > 0
}
