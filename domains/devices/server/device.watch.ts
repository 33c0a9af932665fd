import { alarmChannel, deviceChannel, deviceStatesChannel, wireChannel } from '@campus/devices/contract'
import { inPlaces, isInPlaces, visiblePlaces } from '@campus/places/server'
import { asTables } from '@kit/server/db'
import { push, serveChannel } from '@kit/server/realtime'
import type { ChannelDesk } from '@kit/server/http'
import { sql } from 'kysely'
import type { Db, DevicesDb } from './db.ts'

const number_shape = /^[0-9]{1,18}$/u

/** A device is watched by whoever may see where it stands. */
export async function mayWatchDevice(desk: ChannelDesk, device_id: string): Promise<boolean> {
  if (!number_shape.test(device_id)) return false
  const scope = await visiblePlaces(desk)
  const own = asTables<DevicesDb>(desk.db)
  const device = await own.selectFrom('device_live_v as d').leftJoin('place_live_v as p', join => join.onRef('p.school_id', '=', 'd.school_id').onRef('p.place_id', '=', 'd.place_id')).select('p.node_path').where('d.school_id', '=', desk.school_id).where('d.device_id', '=', device_id).executeTakeFirst()
  return device !== undefined && (scope === 'all' || (device.node_path !== null && isInPlaces(device.node_path, scope)))
}

/** Those whose devices stand in places that the watcher sees. */
async function seenDevices<R extends { device_id: string }>(desk: ChannelDesk, rows: readonly R[]): Promise<readonly R[]> {
  const scope = await visiblePlaces(desk)
  if (scope === 'all') return rows
  const seen = await asTables<DevicesDb>(desk.db)
    .selectFrom('device_live_v as d')
    .innerJoin('place_live_v as p', join => join.onRef('p.school_id', '=', 'd.school_id').onRef('p.place_id', '=', 'd.place_id'))
    .select('d.device_id')
    .where('d.school_id', '=', desk.school_id)
    .where(sql<boolean>`d.device_id = any(${rows.map(row => row.device_id)}::bigint[])`)
    .where(inPlaces('p.node_path', scope))
    .execute()
  const ids = new Set(seen.map(row => row.device_id))
  return rows.filter(row => ids.has(row.device_id))
}

/** Tells whoever watches these devices what has turned at them. */
export async function tellDevices(from: { db: Db; school_id: number }, device_ids: readonly string[], what: 'state' | 'alarm' | 'command'): Promise<void> {
  for (const device_id of new Set(device_ids)) await push(from, deviceChannel, [{ device_id, what }], { of: device_id })
}

export const servedDeviceChannels = [
  serveChannel(deviceStatesChannel, { visible: seenDevices }),
  serveChannel(alarmChannel, { visible: seenDevices }),
  serveChannel(deviceChannel, { may: mayWatchDevice }),
  serveChannel(wireChannel, { may: mayWatchDevice }),
]
