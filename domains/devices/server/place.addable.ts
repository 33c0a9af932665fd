import { camera_type, cameraApi, deviceApi, watching_types } from '@campus/devices/contract'
import type { AddableDevice } from '@campus/places/contract'
import type { AddableAsked, FreePlace } from '@campus/places/server'
import { commonErrors, fail, needOf } from '@kit/contract'
import { asTables } from '@kit/server/db'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import type { Db, DevicesDb } from './db.ts'
import { suitDevices } from './place/suit.ts'

type Asked = Pick<AddableAsked, 'school_id' | 'now'>
const most_listed = 300

/** What stands nowhere or watches nothing, the places that lack such a thing, and which would suit which (chapter 30 rule 22). @throws Refusal 403 */
export async function addableIn(handle: QueryExecutorProvider, asked: AddableAsked): Promise<AddableDevice> {
  const { purpose, device_type, places, is_whole, codes } = asked
  if (!codes.has(needOf(purpose === 'camera' ? cameraApi.bind : deviceApi.place) ?? '')) throw fail(commonErrors.forbidden)
  const db = asTables<DevicesDb>(handle)
  const devices = purpose === 'camera' ? await idleCameras(db, asked, places, is_whole) : is_whole ? await standNowhere(db, asked, device_type) : []
  const taken = purpose === 'camera' ? await watched(db, asked) : await standing(db, asked)
  const open = places.filter(place => purpose === 'device' || !place.private_zone)
  return {
    purpose,
    devices: devices.map(({ place_id: _place, ...device }) => device),
    rooms: open.filter(place => device_type === undefined || !watching_types.includes(device_type) || !place.private_zone).map(({ place_id, node_path_name }) => ({ place_id, node_path_name })),
    pairs: suitDevices(devices, open, taken, purpose),
  }
}

type Found = AddableDevice['devices'][number] & { place_id: string | null }

async function standNowhere(db: Db, { school_id, now }: Asked, device_type: string | undefined): Promise<Found[]> {
  const { rows } = await sql<Found>`
    select d.device_id::text as device_id, d.device_name, d.device_type, d.device_sn, null as place_id from device d
    where d.school_id = ${school_id} and d.lifecycle <> 'retired' and (${device_type ?? null}::text is null or d.device_type = ${device_type ?? null})
      and not exists (select from device_place p where p.school_id = ${school_id} and p.device_id = d.device_id and (p.valid_to is null or p.valid_to > ${now}))
    order by d.device_type, d.device_name limit ${most_listed}`.execute(db)
  return rows
}

/** Cameras in these places (for whoever sees all: anywhere) that watch neither a gate nor a place. */
async function idleCameras(db: Db, { school_id, now }: Asked, places: readonly FreePlace[], is_whole: boolean): Promise<Found[]> {
  const { rows } = await sql<Found>`
    select d.device_id::text as device_id, d.device_name, d.device_type, d.device_sn, p.place_id::text as place_id from device d
    left join device_place p on p.school_id = d.school_id and p.device_id = d.device_id and p.valid_from <= ${now} and (p.valid_to is null or p.valid_to > ${now})
    where d.school_id = ${school_id} and d.lifecycle <> 'retired' and d.device_type = ${camera_type} and (${is_whole} or p.place_id = any(${places.map(place => place.place_id)}::bigint[]))
      and not exists (select from camera_binding b where b.school_id = ${school_id} and b.camera_device_id = d.device_id and b.bind_kind <> 'box' and (b.valid_to is null or b.valid_to > ${now}))
    order by d.device_name limit ${most_listed}`.execute(db)
  return rows
}

async function watched(db: Db, { school_id }: Asked): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ place_id: string }>`select distinct place_id::text as place_id from camera_binding where school_id = ${school_id} and place_id is not null and valid_to is null`.execute(db)
  return new Set(rows.map(row => `${camera_type} ${row.place_id}`))
}

async function standing(db: Db, { school_id }: Asked): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ place_id: string; device_type: string }>`select distinct place_id::text as place_id, device_type from device_live_v where school_id = ${school_id} and place_id is not null`.execute(db)
  return new Set(rows.map(row => `${row.device_type} ${row.place_id}`))
}
