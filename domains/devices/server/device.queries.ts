import { Device } from '@campus/devices/contract'
import { inPlaces, placeThen } from '@campus/places/server'
import type { PlaceScope } from '@campus/places/server'
import { serialKey } from '@kit/contract/checks'
import { nameHas, nameKeyOf } from '@kit/server/db'
import { sql } from 'kysely'
import type { Selectable } from 'kysely'
import type { Db, DevicesDb } from './db.ts'
import { hasDrift } from './proof/drift.queries.ts'
import { hasQueue, oldestWait } from './state/state.queries.ts'
import { isBound } from './camera/binding.queries.ts'
import { deviceState } from './device.state.ts'
import { deviceOrder } from './device.order.ts'
import type { DeviceOrder } from './device.order.ts'

export type DeviceRecord = Selectable<DevicesDb['device']>

/** Which devices. `below` = the path of a place with everything in it; without `retired` only what is there. */
export type DeviceFilter = {
  school_id: number
  scope: PlaceScope
  now: Date
  below?: string
  device_ids?: readonly string[]
  device_type?: string
  device_types?: readonly string[] | undefined
  device_state?: string
  model_code?: string
  retired?: boolean
  queue?: boolean
  drift?: boolean
  bound?: boolean
  parent_device_id?: string
  /** those below which others may hang */
  can_parent?: boolean | undefined
  keyword?: string
}

/** Whether other devices may hang below a device `d` of a model `m`: it speaks for them, and hangs below nothing itself. */
export const can_parent = sql<boolean>`(d.parent_device_id is null and d.lifecycle <> 'retired' and m.capabilities @> '{"gateway":true}')`

function selectDevices(db: Db, filter: DeviceFilter) {
  const { school_id, scope, now, below, device_ids, device_type, model_code, retired = false, queue, drift, keyword } = filter
  return db
    .selectFrom('device as d')
    .innerJoin('device_model as m', 'm.model_code', 'd.model_code')
    .leftJoin('device_place as dp', join =>
      join
        .onRef('dp.school_id', '=', 'd.school_id')
        .onRef('dp.device_id', '=', 'd.device_id')
        .on('dp.valid_from', '<=', now)
        .on(eb => eb.or([eb('dp.valid_to', 'is', null), eb('dp.valid_to', '>', now)])),
    )
    .leftJoin('place_live_v as p', join => join.onRef('p.school_id', '=', 'dp.school_id').onRef('p.place_id', '=', 'dp.place_id'))
    .leftJoin('device as up', join => join.onRef('up.school_id', '=', 'd.school_id').onRef('up.device_id', '=', 'd.parent_device_id'))
    .where('d.school_id', '=', school_id)
    .where(inPlaces('p.node_path', scope))
    .where('d.lifecycle', retired ? '=' : '<>', 'retired')
    .$if(below !== undefined, query => query.where(inPlaces('p.node_path', [below ?? ''])))
    .$if(device_ids !== undefined, query => query.where(sql<boolean>`d.device_id = any(${[...(device_ids ?? [])]}::bigint[])`))
    .$if(device_type !== undefined, query => query.where('d.device_type', '=', device_type ?? ''))
    .$if(filter.device_types !== undefined, query => query.where('d.device_type', 'in', [...(filter.device_types ?? [])]))
    .$if(model_code !== undefined, query => query.where('d.model_code', '=', model_code ?? ''))
    .$if(filter.device_state !== undefined, query => query.where(sql<boolean>`${deviceState(filter.school_id)} = ${filter.device_state ?? ''}`))
    .$if(queue !== undefined, query => query.where(queue ? hasQueue(filter.school_id) : sql<boolean>`not ${hasQueue(filter.school_id)}`))
    .$if(drift !== undefined, query => query.where(drift ? hasDrift(filter.school_id) : sql<boolean>`not ${hasDrift(filter.school_id)}`))
    .$if(filter.can_parent !== undefined, query => query.where(filter.can_parent === true ? can_parent : sql<boolean>`not ${can_parent}`))
    .$if(filter.bound !== undefined, query => query.where(filter.bound === true ? isBound(filter.school_id, now) : sql<boolean>`not ${isBound(filter.school_id, now)}`))
    .$if(filter.parent_device_id !== undefined, query => query.where('d.parent_device_id', '=', filter.parent_device_id ?? ''))
    .$if(keyword !== undefined, query => query.where(sql<boolean>`(${nameHas(nameKeyOf('d.device_name'), keyword ?? '')} or strpos(upper(d.device_sn), ${serialKey(keyword ?? '')}) > 0 or host(d.ip) = ${keyword ?? ''})`))
}

const columns = [
  'd.device_id', 'd.device_sn', 'd.device_name', 'd.device_type', 'd.model_code', 'm.model_name', 'm.driver', 'd.parent_device_id', 'up.device_name as parent_name', 'd.lifecycle',
  'd.online_since', 'd.last_seen_at', 'd.offline_reason', 'd.confirming_since', 'd.fault_code', 'd.clock_skew_ms', 'd.is_push', 'd.mac', 'd.firmware_version', 'd.app_version', 'd.note', 'd.row_version',
  'dp.place_id', 'p.place_name', 'p.node_path_name', 'dp.direction',
] as const

/** Rows of the list, by their place unless another order is asked for. */
export async function readDevices(db: Db, filter: DeviceFilter, most: { limit: number; offset: number }, order: DeviceOrder = { sort: 'place', unmissed: [] }): Promise<Device[]> {
  const rows = await selectDevices(db, filter)
    .select(columns)
    .select([deviceState(filter.school_id).as('device_state'), sql<string | null>`host(d.ip)`.as('ip')])
    .orderBy(deviceOrder(filter.school_id, order))
    .limit(most.limit)
    .offset(most.offset)
    .execute()
  return rows.map(deviceOf)
}

/** Which they are, in no order. */
export async function readDeviceIds(db: Db, filter: DeviceFilter): Promise<string[]> {
  const rows = await selectDevices(db, filter).select('d.device_id').execute()
  return rows.map(row => row.device_id)
}

/** How many there are. */
export async function countDevices(db: Db, filter: DeviceFilter): Promise<number> {
  const { count } = await selectDevices(db, filter).select(sql<number>`count(*)::int`.as('count')).executeTakeFirstOrThrow()
  return count
}

/** How many of each kind are in which state. */
export function countStates(db: Db, filter: DeviceFilter) {
  return selectDevices(db, filter).select(['d.device_type', deviceState(filter.school_id).as('device_state'), sql<number>`count(*)::int`.as('count')]).groupBy(['d.device_type', sql`2`]).orderBy('d.device_type').orderBy(sql`2`).execute()
}

/** How many of them differ from what they are to hold, how many wait for something, and which of them for the longest. */
export async function countAttention(db: Db, filter: DeviceFilter): Promise<{ drift: number; queue: number; oldest: { device_name: string; at: string } | null }> {
  const counted = await selectDevices(db, filter).select([sql<number>`(count(*) filter (where ${hasDrift(filter.school_id)}))::int`.as('drift'), sql<number>`(count(*) filter (where ${hasQueue(filter.school_id)}))::int`.as('queue')]).executeTakeFirstOrThrow()
  const oldest = counted.queue === 0 ? undefined : await selectDevices(db, { ...filter, queue: true }).select(['d.device_name', oldestWait(filter.school_id).as('at')]).orderBy('at').limit(1).executeTakeFirst()
  return { ...counted, oldest: oldest ? { device_name: oldest.device_name, at: oldest.at.toISOString() } : null }
}

/** One row as it lies. */
export function findDevice(db: Db, school_id: number, device_id: string): Promise<DeviceRecord | undefined> {
  return db.selectFrom('device').selectAll().where('school_id', '=', school_id).where('device_id', '=', device_id).executeTakeFirst()
}

/** Whether others may hang below it. */
export async function canParent(db: Db, school_id: number, device_id: string): Promise<boolean> {
  const found = await db.selectFrom('device as d').innerJoin('device_model as m', 'm.model_code', 'd.model_code').select('d.device_id').where('d.school_id', '=', school_id).where('d.device_id', '=', device_id).where(can_parent).executeTakeFirst()
  return found !== undefined
}

/** Whether others hang below it. */
export async function hasChildren(db: Db, school_id: number, device_id: string): Promise<boolean> {
  const found = await db.selectFrom('device').select('device_id').where('school_id', '=', school_id).where('parent_device_id', '=', device_id).where('lifecycle', '<>', 'retired').executeTakeFirst()
  return found !== undefined
}

/** Where a device stood, newest first. */
export function readPlacements(db: Db, school_id: number, device_id: string) {
  return db
    .selectFrom('device_place as dp')
    .leftJoin('place_path_v as p', join => join.onRef('p.school_id', '=', 'dp.school_id').onRef('p.place_id', '=', 'dp.place_id'))
    .select(['dp.place_id', 'p.node_path_name', sql<string | null>`nullif(${placeThen(school_id, 'dp.place_id', 'dp.valid_from')}, p.node_path_name)`.as('then_name'), 'dp.direction', 'dp.valid_from', 'dp.valid_to'])
    .where('dp.school_id', '=', school_id)
    .where('dp.device_id', '=', device_id)
    .orderBy('dp.valid_from', 'desc')
    .execute()
}

/** The latest turns of its line. */
export function readLinks(db: Db, school_id: number, device_id: string, limit: number) {
  return db.selectFrom('device_link_event').select(['at', 'kind', 'reason', 'client_ip']).where('school_id', '=', school_id).where('device_id', '=', device_id).orderBy('at', 'desc').limit(limit).execute()
}

/** What was wrong at it lately, newest first. */
export function readAlarms(db: Db, school_id: number, device_id: string, limit: number) {
  return db.selectFrom('alarm_event').select(['alarm_kind', 'at', 'cleared_at']).where('school_id', '=', school_id).where('device_id', '=', device_id).orderBy('at', 'desc').limit(limit).execute()
}

type Row = { [name: string]: unknown; online_since: Date | null; last_seen_at: Date | null; confirming_since: Date | null }

/** A row as the wire has it. */
function deviceOf({ online_since, last_seen_at, confirming_since, ...row }: Row): Device {
  return Device.parse({ ...row, confirming_since: confirming_since?.toISOString() ?? null, online_since: online_since?.toISOString() ?? null, last_seen_at: last_seen_at?.toISOString() ?? null })
}
