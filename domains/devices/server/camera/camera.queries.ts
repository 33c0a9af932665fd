import { Camera, camera_type } from '@campus/devices/contract'
import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { countDevices, readDevices } from '../device.queries.ts'
import type { DeviceFilter } from '../device.queries.ts'
import { bindingOf, readBindings } from './binding.queries.ts'

/** What only cameras have; undefined where nothing of it was ever said. */
export function readExtras(db: Db, school_id: number, device_ids: readonly string[]) {
  return db
    .selectFrom('camera')
    .select(['device_id', 'channel', 'codec', 'ptz', 'snapshot_at', sql<boolean>`stream_sealed is not null`.as('has_stream')])
    .where('school_id', '=', school_id)
    .where(sql<boolean>`device_id = any(${[...device_ids]}::bigint[])`)
    .execute()
}

/** Cameras of a filter in the order of their places, with what each of them watches now. */
export async function readCameras(db: Db, filter: Omit<DeviceFilter, 'device_type'>, most: { limit: number; offset: number }): Promise<Camera[]> {
  const { school_id, now } = filter
  const devices = await readDevices(db, { ...filter, device_type: camera_type }, most)
  const ids = devices.map(device => device.device_id)
  const extras = new Map((await readExtras(db, school_id, ids)).map(row => [row.device_id, row]))
  const bindings = Map.groupBy(await readBindings(db, school_id, ids, now), row => row.camera_device_id)
  return devices.map(({ parent_device_id, parent_name, ...device }) => {
    const { channel = null, codec = null, ptz = false, has_stream = false, snapshot_at } = extras.get(device.device_id) ?? {}
    return Camera.parse({ ...device, nvr_device_id: parent_device_id, nvr_name: parent_name, channel, codec, ptz, has_stream, snapshot_at: snapshot_at?.toISOString() ?? null, bindings: (bindings.get(device.device_id) ?? []).map(bindingOf) })
  })
}

/** How many there are. */
export function countCameras(db: Db, filter: Omit<DeviceFilter, 'device_type'>): Promise<number> {
  return countDevices(db, { ...filter, device_type: camera_type })
}

type Extras = { channel?: number | null; codec?: string | null; ptz?: boolean; stream_sealed?: Buffer | null }

/** Writes what only cameras have. */
export async function writeExtras(db: Db, school_id: number, device_id: string, extras: Extras): Promise<void> {
  await db.insertInto('camera').values({ school_id, device_id }).onConflict(conflict => conflict.doNothing()).execute()
  if (Object.keys(extras).length > 0) await db.updateTable('camera').set(extras).where('school_id', '=', school_id).where('device_id', '=', device_id).execute()
}

/** Who uses a channel of a recorder already; undefined: nobody. */
export function findOnChannel(db: Db, school_id: number, { nvr_device_id, channel }: { nvr_device_id: string; channel: number }) {
  return db
    .selectFrom('camera as c')
    .innerJoin('device as d', join => join.onRef('d.school_id', '=', 'c.school_id').onRef('d.device_id', '=', 'c.device_id'))
    .select(['d.device_id', 'd.device_name'])
    .where('c.school_id', '=', school_id)
    .where('d.parent_device_id', '=', nvr_device_id)
    .where('d.lifecycle', '<>', 'retired')
    .where('c.channel', '=', channel)
    .executeTakeFirst()
}
