import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../db.ts'
import { deviceState } from '../device.state.ts'

const Metric = z.object({ device_id: z.string(), at: z.string(), cpu_pct: z.number().nullable(), mem_pct: z.number().nullable(), temp_c: z.number().nullable(), disk_free_mb: z.number().nullable() })

/** The last word of each of these devices about itself, not older than a moment. */
export async function readMetrics(db: Db, school_id: number, ids: readonly string[], since: Date): Promise<z.output<typeof Metric>[]> {
  const { rows } = await sql`
    select distinct on (device_id) device_id::text as device_id, to_char(bucket at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at, cpu_pct, mem_pct, temp_c, disk_free_mb
    from device_metric where school_id = ${school_id} and device_id = any(${[...ids]}::bigint[]) and bucket >= ${since} order by device_id, bucket desc`.execute(db)
  return z.array(Metric).parse(rows)
}

/** What hangs below these devices, by channel and name. */
export function readChildren(db: Db, school_id: number, ids: readonly string[]) {
  return db
    .selectFrom('device as d')
    .leftJoin('camera as c', join => join.onRef('c.school_id', '=', 'd.school_id').onRef('c.device_id', '=', 'd.device_id'))
    .select(['d.parent_device_id', 'd.device_id', 'd.device_name', 'd.device_type', deviceState(school_id).as('device_state'), 'c.channel', 'c.snapshot_at'])
    .where('d.school_id', '=', school_id)
    .where(sql<boolean>`d.parent_device_id = any(${[...ids]}::bigint[])`)
    .where('d.lifecycle', '<>', 'retired')
    .orderBy('c.channel', order => order.asc().nullsLast())
    .orderBy('d.device_name')
    .execute()
}

/** The turns of the lines of these devices since a moment. */
export function readTurns(db: Db, school_id: number, ids: readonly string[], since: Date) {
  return db.selectFrom('device_link_event').select(['device_id', 'at', 'kind']).where('school_id', '=', school_id).where(sql<boolean>`device_id = any(${[...ids]}::bigint[])`).where('at', '>=', since).execute()
}
