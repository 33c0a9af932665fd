import { SchoolSetting, setting_defaults } from '@campus/devices/contract'
import type { QueryExecutorProvider } from 'kysely'
import { asTables } from '@kit/server/db'
import type { DevicesDb } from '../db.ts'

const columns = ['offline_alert_minutes', 'mass_delete_pct', 'mass_delete_min', 'pass_keep_days', 'foreign_policy', 'read_back_hour', 'broker_notes'] as const

/** What a school has set of its devices, or what counts where it has set nothing: the one place that every rule reads it from (chapter 30 §1.2). */
export async function readSetting(db: QueryExecutorProvider, school_id: number): Promise<SchoolSetting> {
  const row = await asTables<DevicesDb>(db).selectFrom('device_setting').select([...columns]).where('school_id', '=', school_id).executeTakeFirst()
  return SchoolSetting.parse(row ?? setting_defaults)
}
