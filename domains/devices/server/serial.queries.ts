import { devicesErrors } from '@campus/devices/contract'
import { fail } from '@kit/contract'
import { serialKey } from '@kit/contract/checks'
import { asTables } from '@kit/server/db'
import type { QueryExecutorProvider } from 'kysely'
import type { DevicesDb } from './db.ts'

type Numbered = { device_id: string; device_sn: string }

/**
 * Takes the serial numbers of new devices for a school; the key of the table decides every race.
 * @throws Refusal 409 deviceSnTaken when the school has one of them, deviceClientConflict when another school has
 */
export async function claimSerials(db: QueryExecutorProvider, school_id: number, devices: readonly Numbered[]): Promise<void> {
  if (devices.length === 0) return
  const own = asTables<DevicesDb>(db)
  const rows = devices.map(({ device_id, device_sn }) => ({ serial_key: serialKey(device_sn), school_id, device_id }))
  const made = await own.insertInto('device_serial').values(rows).onConflict(conflict => conflict.column('serial_key').doNothing()).returning('serial_key').execute()
  if (made.length === rows.length) return
  const elsewhere = await serialsElsewhere(own, school_id, devices.map(({ device_sn }) => device_sn))
  throw fail(elsewhere.length > 0 ? devicesErrors.deviceClientConflict : devicesErrors.deviceSnTaken)
}

/** Which of these serial numbers belong to devices of other schools, as `serialKey` writes them. */
export async function serialsElsewhere(db: QueryExecutorProvider, school_id: number, device_sns: readonly string[]): Promise<string[]> {
  if (device_sns.length === 0) return []
  const taken = await asTables<DevicesDb>(db).selectFrom('device_serial').select('serial_key').where('serial_key', 'in', device_sns.map(serialKey)).where('school_id', '<>', school_id).execute()
  return taken.map(({ serial_key }) => serial_key)
}

/** A device that is retired gives its number back. */
export async function freeSerial(db: QueryExecutorProvider, { school_id, device_id }: { school_id: number; device_id: string }): Promise<void> {
  await asTables<DevicesDb>(db).deleteFrom('device_serial').where('school_id', '=', school_id).where('device_id', '=', device_id).execute()
}
