import { asTables } from '@kit/server/db'
import { config_words } from '@kit/terminal-protocol'
import { sql } from 'kysely'
import type { ConfigValue } from '@kit/terminal-protocol'
import type { DevicesDb } from '../db.ts'
import type { Declarer } from '../sync/declare.ts'
import { dueConfig } from '../sync/due.ts'
import { settingDevices } from './profile.queries.ts'

const whole_school = '0'

/**
 * Decides a setting for the devices of some places, or of the whole school (no places), in the caller's transaction: ranked as the school's, so that what is set for a place, a model or a device goes before it.
 * What the source said of this setting before is replaced; `value` null takes it back. @throws Error for a setting that is not other domains' to decide
 */
export async function declareConfig(by: Declarer, source: string, key: string, value: ConfigValue | null, place_ids: readonly string[]): Promise<void> {
  if (!config_words.some(word => word.key === key && word.declared)) throw new Error(`${key} is not decided by other domains`)
  const { school_id, now } = by
  const db = asTables<DevicesDb>(by.db)
  const places = value === null ? [] : place_ids.length === 0 ? [whole_school] : [...new Set(place_ids)]
  await db.deleteFrom('config_declared').where('school_id', '=', school_id).where('source', '=', source).where('config_key', '=', key).where(sql<boolean>`not place_id = any(${places}::bigint[])`).execute()
  if (places.length > 0) {
    await db
      .insertInto('config_declared')
      .values(places.map(place_id => ({ school_id, source, config_key: key, place_id, config_value: JSON.stringify(value), declared_at: now })))
      .onConflict(conflict => conflict.columns(['school_id', 'source', 'config_key', 'place_id']).doUpdateSet(eb => ({ config_value: eb.ref('excluded.config_value'), declared_at: eb.ref('excluded.declared_at') })))
      .execute()
  }
  await dueConfig({ db, school_id, now }, (await settingDevices(db, school_id)).map(device => device.device_id))
}
