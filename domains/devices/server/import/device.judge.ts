import { camera_type, devicesErrors, watching_types } from '@campus/devices/contract'
import { isInPlaces, visiblePlaces } from '@campus/places/server'
import { nameKey, serialKey } from '@kit/contract/checks'
import type { Judgement, ParsedRow, ReadStep } from '@kit/server/excel'
import { nameKeyOf } from '@kit/server/db'
import { sql } from 'kysely'
import type { DevicesDb } from '../db.ts'
import { can_parent } from '../device.queries.ts'
import { serialsElsewhere } from '../serial.queries.ts'
import { directionName } from './device.parsed.ts'
import type { ParsedDevice } from './device.parsed.ts'
import { readImages } from './device.image.ts'
import type { DeviceImage } from './device.image.ts'

type Site = { place_id: string; private_zone: boolean }
/** What the database holds about a piece of the sheet: devices by `serialKey`, places by `nameKey` of the path, and numbers of other schools. */
export type DeviceSnapshot = { devices: ReadonlyMap<string, DeviceImage & { is_seen: boolean }>; places: ReadonlyMap<string, Site>; holders: ReadonlyMap<string, string>; parents: ReadonlyMap<string, string>; elsewhere: ReadonlySet<string> }

const retired = 'retired'

/** Reads it in a few questions, however many lines there are. */
export async function loadDevices(step: ReadStep<DevicesDb>, rows: readonly ParsedRow<ParsedDevice>[]): Promise<DeviceSnapshot> {
  const { db, school_id } = step
  const lines = rows.map(row => row.parsed)
  const texts = (of: (line: ParsedDevice) => string | null) => [...new Set(lines.flatMap(line => of(line) ?? []))]
  const scope = await visiblePlaces(step)
  const [numbers, names, paths, above] = [texts(line => line.device_sn), texts(line => line.device_name), texts(line => line.path), texts(line => line.parent_sn)]
  const places = await db.selectFrom('place_live_v').select(['place_id', 'node_path', 'node_path_name', 'private_zone']).where('school_id', '=', school_id).where(sql<boolean>`${nameKeyOf('node_path_name')} = any(${paths.map(nameKey)}::text[])`).execute()
  const images = await readImages(db, school_id, { device_sns: numbers })
  const holders = await db.selectFrom('device').select(['device_sn', 'device_name']).where('school_id', '=', school_id).where('lifecycle', '<>', retired).where(sql<boolean>`${nameKeyOf('device_name')} = any(${names.map(nameKey)}::text[])`).execute()
  const parents = await db.selectFrom('device as d').innerJoin('device_model as m', 'm.model_code', 'd.model_code').select(['d.device_id', 'd.device_sn']).where('d.school_id', '=', school_id).where(can_parent).where(sql<boolean>`upper(d.device_sn) = any(${above.map(serialKey)}::text[])`).execute()
  const elsewhere = await serialsElsewhere(db, school_id, numbers)
  return {
    devices: new Map(images.map(image => [serialKey(image.device_sn), { ...image, is_seen: scope === 'all' || (image.node_path !== null && isInPlaces(image.node_path, scope)) }])),
    places: new Map(places.filter(place => isInPlaces(place.node_path, scope)).map(place => [nameKey(place.node_path_name), place])),
    holders: new Map(holders.map(row => [nameKey(row.device_name), serialKey(row.device_sn)])),
    parents: new Map(parents.map(row => [serialKey(row.device_sn), row.device_id])),
    elsewhere: new Set(elsewhere),
  }
}

/** What importing a line of 设备导入 would do (chapter 30 §6). */
export function judgeDevice({ parsed }: ParsedRow<ParsedDevice>, snapshot: DeviceSnapshot): Judgement {
  const known = snapshot.devices.get(serialKey(parsed.device_sn))
  const judged = judgeLine(parsed, snapshot)
  return { ...judged, errors: [...judged.errors, ...issue('parent_sn', known?.device_type === camera_type && serialKey(known.parent_sn ?? '') !== serialKey(parsed.parent_sn ?? '') && '摄像机的录像机和通道请在摄像机导入中修改')] }
}

/** What importing a device would do, whatever sheet names it. */
export function judgeLine(parsed: ParsedDevice, snapshot: DeviceSnapshot): Judgement {
  const errors = faultsOf(parsed, snapshot)
  const known = snapshot.devices.get(serialKey(parsed.device_sn))
  if (!known) return { verdict: 'new', target_id: null, diff: [], errors, warnings: [] }
  const told = [
    { prop: 'device_name', before: known.device_name, after: parsed.device_name },
    { prop: 'path', before: known.node_path_name ?? '', after: parsed.path },
    { prop: 'direction', before: directionName(known.direction), after: directionName(parsed.direction) },
    { prop: 'parent_sn', before: known.parent_sn ?? '', after: parsed.parent_sn ?? '' },
    { prop: 'ip', before: known.ip ?? '', after: parsed.ip ?? '' },
    { prop: 'mac', before: known.mac ?? '', after: parsed.mac ?? '' },
    { prop: 'note', before: known.note ?? '', after: parsed.note ?? '' },
  ]
  const key = (prop: string) => (prop === 'parent_sn' ? serialKey : prop === 'device_name' || prop === 'path' ? nameKey : String)
  const diff = told.filter(({ prop, before, after }) => key(prop)(before) !== key(prop)(after))
  return { verdict: diff.length > 0 ? 'change' : 'same', target_id: known.device_id, basis: String(known.row_version), diff, errors, warnings: [] }
}

function faultsOf({ device_sn, device_name, device_type, model_code, path, parent_sn }: ParsedDevice, { devices, places, holders, parents, elsewhere }: DeviceSnapshot) {
  const known = devices.get(serialKey(device_sn))
  const place = places.get(nameKey(path))
  const holder = holders.get(nameKey(device_name))
  const is_taken = known !== undefined && (known.lifecycle === retired || !known.is_seen)
  return [
    issue('device_sn', is_taken && devicesErrors.deviceSnTaken.msg),
    issue('device_sn', !known && elsewhere.has(serialKey(device_sn)) && devicesErrors.deviceClientConflict.msg),
    issue('model_code', known !== undefined && !is_taken && (known.model_code !== model_code || known.device_type !== device_type) && `已登记为${known.model_code}，换机请用“更换设备”`),
    issue('device_name', holder !== undefined && holder !== serialKey(device_sn) && devicesErrors.deviceNameTaken.msg),
    issue('path', !place && `场所“${path}”不存在`),
    issue('path', place?.private_zone === true && watching_types.includes(device_type) && devicesErrors.devicePrivate.msg),
    issue('parent_sn', parent_sn !== null && (serialKey(parent_sn) === serialKey(device_sn) || !parents.has(serialKey(parent_sn))) && `上级设备“${parent_sn}”不存在或不能接其他设备，请先登记网关、录像机、AI盒子或控制器`),
  ].flat()
}

function issue(prop: string, msg: string | false) {
  return msg === false ? [] : [{ prop, msg }]
}
