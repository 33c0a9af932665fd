import { schoolEvents } from '@campus/school/contract'
import { asTables } from '@kit/server/db'
import { publish } from '@kit/server/event'
import type { Publisher } from '@kit/server/event'
import { sql } from 'kysely'
import type { SchoolDb } from './db.ts'

/**
 * Says whether the payment service of a school was set up (chapter 10 N7): without it four sub-applications do not open. For finance, in its own
 * transaction; consoles that are open hear of it.
 * @returns whether it was otherwise before
 */
export async function setCloudFee(desk: Publisher, is_on: boolean): Promise<boolean> {
  const { db, school_id, now, me } = desk
  const cloud_fee = is_on ? 1 : 0
  const changed = await asTables<SchoolDb>(db)
    .updateTable('school_config')
    .set({ cloud_fee, config_version: sql<number>`config_version + 1`, updated_by: me?.user_id ?? null, updated_at: now })
    .where('school_id', '=', school_id)
    .where('cloud_fee', '<>', cloud_fee)
    .returning('config_version')
    .executeTakeFirst()
  if (!changed) return false
  await publish(desk, schoolEvents.configChanged, { keys: ['cloud_fee'], config_version: changed.config_version })
  return true
}
