import { asTables } from '@kit/server/db'
import type { Sender } from '@campus/messages/server'
import { sql } from 'kysely'
import type { DevicesDb } from '../db.ts'
import { wakeSenders } from '../notice.ts'
import type { OpenDrift } from '../proof/drift.queries.ts'
import { deleteForeign } from '../proof/resend.write.ts'
import { tellForeignGone } from '../tell/tell-data.ts'

/**
 * Deletes foreign rows that nobody has decided on for a day, where the school has said so (chapter 30 rule 9): they stand among the settled differences as such, and whoever looks after the device is told.
 * A day counts from when they were found, or from when the school has said so. @returns how many
 */
export async function deleteOldForeign(desk: Sender): Promise<number> {
  const { school_id, now } = desk
  const db = asTables<DevicesDb>(desk.db)
  const { rows } = await sql<OpenDrift>`
    update sync_drift d set resolution = 'expired', resolved_at = ${now} from device_setting s
    where s.school_id = ${school_id} and s.foreign_policy = 'delete_after_24h' and d.school_id = s.school_id and d.found = 'foreign' and d.resolved_at is null and greatest(d.found_at, s.foreign_since) <= ${now}::timestamptz - interval '24 hours'
    returning d.drift_id::text as drift_id, d.device_id::text as device_id, d.kind, d.row_key, d.found, d.have_hash`.execute(db)
  if (rows.length === 0) return 0
  await deleteForeign(db, school_id, rows, now)
  for (const [device_id, of_device] of Map.groupBy(rows, row => row.device_id)) await tellForeignGone(desk, device_id, of_device.length)
  await wakeSenders({ db, school_id }, [...new Set(rows.map(row => row.device_id))])
  return rows.length
}
