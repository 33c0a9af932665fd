import { sql } from 'kysely'
import type { Db } from '../db.ts'

/** Until when somebody works now at each of these devices, or of `all`; one at which nobody works is not there. */
export async function maintainedUntil(db: Db, school_id: number, device_ids: readonly string[] | 'all', now: Date): Promise<ReadonlyMap<string, string>> {
  if (device_ids.length === 0) return new Map()
  const of_these = device_ids === 'all' ? sql`true` : sql`device_id = any(${[...device_ids]}::bigint[])`
  const { rows } = await sql<{ device_id: string; end_at: Date }>`
    select device_id::text as device_id, max(end_at) as end_at from device_maintenance
    where school_id = ${school_id} and ${of_these} and begin_at <= ${now} and end_at > ${now} group by device_id`.execute(db)
  return new Map(rows.map(row => [row.device_id, row.end_at.toISOString()]))
}
