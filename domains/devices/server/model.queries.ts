import { DeviceModel } from '@campus/devices/contract'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from './db.ts'
import { known_models } from './model.catalogue.ts'

/** Drivers whose devices connect to the broker by themselves. */
export const connecting_drivers: readonly string[] = ['jdev', 'vf105']

/** Writes the models that are missing; what the operator has changed stays. */
export async function installModels(db: Db): Promise<void> {
  const rows = known_models.map(({ limits_source = 'assumed', limits, capabilities, ...model }) => ({ ...model, limits_source, limits: JSON.stringify(limits), capabilities: JSON.stringify(capabilities) }))
  await db.insertInto('device_model').values(rows).onConflict(conflict => conflict.column('model_code').doNothing()).execute()
}

/** All models, by kind and name. */
export async function readModels(db: Db): Promise<DeviceModel[]> {
  const rows = await db.selectFrom('device_model').select(['model_code', 'model_name', 'device_type', 'driver', 'limits', 'limits_source', 'firmware_kinds']).orderBy('device_type').orderBy('model_code').execute()
  return z.array(DeviceModel).parse(rows)
}

/** Which of these models take packages of their maker alone, and the key by which they know them (`capabilities.firmware_key`: Ed25519, raw, in Base64). */
export async function readFirmwareKeys(db: Db, codes: readonly string[]): Promise<{ model_code: string; firmware_key: string }[]> {
  const { rows } = await sql<{ model_code: string; firmware_key: string }>`
    select model_code, capabilities ->> 'firmware_key' as firmware_key from device_model where model_code = any(${[...codes]}::text[]) and capabilities ->> 'firmware_key' is not null order by model_code`.execute(db)
  return rows
}

/** One model; undefined when there is none of that code. */
export function findModel(db: Db, model_code: string) {
  return db.selectFrom('device_model').select(['model_code', 'device_type', 'driver']).where('model_code', '=', model_code).executeTakeFirst()
}

/** A lock that lets one registration of a serial number happen at a time, over all schools. */
export async function lockSerial(db: Db, device_sn: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`device_sn ${device_sn}`}, 30))`.execute(db)
}
