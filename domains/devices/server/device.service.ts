import type { deviceApi, Device } from '@campus/devices/contract'
import { DeviceAlarm, DeviceLink, DevicePlacement, DEVICE_STATE, DEVICE_TYPE } from '@campus/devices/contract'
import { readAdoptionTold } from './adoption/adoption.read.ts'
import { isInPlaces, placeScope } from '@campus/places/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import { z } from 'zod'
import type { DevicesCtx } from './db.ts'
import { clockOf } from './device.clock.ts'
import { countDevices, countStates, findDevice, readAlarms, readDevices, readLinks, readPlacements } from './device.queries.ts'
import type { DeviceFilter, DeviceRecord } from './device.queries.ts'
import { plannedOff } from './event/offline-alarm.ts'
import { maintainedUntil } from './maintenance/maintenance.queries.ts'
import { countDriftOf } from './proof/drift.queries.ts'
import { countSync, nothing_wanted } from './state/state.queries.ts'

const [links_shown, alarms_shown] = [50, 20]
const offline = '0'
const never_read = { drift: 0, proof_at: null }
const closed_place = '已停用的场所'
const Counts = z.array(z.object({ device_type: z.enum(DEVICE_TYPE.codes), device_state: z.enum(DEVICE_STATE.codes), count: z.number() }))

/** The path of an open place in the scope of the acting identity. @throws Refusal 404 */
export async function requirePath({ db, school_id }: DevicesCtx, place_id: string, scope: DeviceFilter['scope']): Promise<{ node_path: string; place_name: string; node_path_name: string }> {
  const place = await db.selectFrom('place_live_v').select(['node_path', 'place_name', 'node_path_name']).where('school_id', '=', school_id).where('place_id', '=', place_id).executeTakeFirst()
  if (!place || !isInPlaces(place.node_path, scope)) throw fail(commonErrors.notFound)
  return place
}

/** A page of the devices in the places that the reader may see; those that stand nowhere are for whoever sees all places. */
export async function listDevices(ctx: DevicesCtx, { page_index, page_size, place_id, sort = 'trouble', ...filter }: Input<typeof deviceApi.list>): Promise<Reply<typeof deviceApi.list>> {
  const scope = await placeScope(ctx)
  const below = place_id === undefined ? undefined : (await requirePath(ctx, place_id, scope)).node_path
  const asked: DeviceFilter = { school_id: ctx.school_id, now: ctx.now, scope, ...filter, ...(below === undefined ? {} : { below }) }
  const off = await plannedOff(ctx.db, ctx.school_id, 'silent', ctx.now)
  const maintained = await maintainedUntil(ctx.db, ctx.school_id, 'all', ctx.now)
  const devices = await readDevices(ctx.db, asked, { limit: page_size, offset: (page_index - 1) * page_size }, { sort, unmissed: [...off, ...maintained.keys()] })
  const ids = devices.map(device => device.device_id)
  const counts = await countSync(ctx.db, ctx.school_id, ids, ctx.now)
  const drifts = await countDriftOf(ctx.db, ctx.school_id, ids, ctx.now)
  return { list: devices.map(device => ({ ...device, is_planned_off: device.device_state === offline && off.has(device.device_id), maintained_until: maintained.get(device.device_id) ?? null, sync: counts.get(device.device_id) ?? nothing_wanted, ...(drifts.get(device.device_id) ?? never_read) })), total: await countDevices(ctx.db, asked) }
}

/** The states of some devices, and how many of each kind there are in each state. */
export async function readStatus(ctx: DevicesCtx, { ids = [] }: Input<typeof deviceApi.status>): Promise<Reply<typeof deviceApi.status>> {
  const filter: DeviceFilter = { school_id: ctx.school_id, now: ctx.now, scope: await placeScope(ctx) }
  const list = ids.length === 0 ? [] : await readDevices(ctx.db, { ...filter, device_ids: ids }, { limit: ids.length, offset: 0 })
  return { list: list.map(({ device_id, device_state, last_seen_at, clock_skew_ms }) => ({ device_id, device_state, last_seen_at, clock_skew_ms })), counts: Counts.parse(await countStates(ctx.db, filter)) }
}

/** A device with where it stood, how its line was and what was wrong at it. @throws Refusal 404 */
export async function readDetail(ctx: DevicesCtx, { id }: Input<typeof deviceApi.detail>): Promise<Reply<typeof deviceApi.detail>> {
  const found = await requireDevice(ctx, id)
  const { db, school_id } = ctx
  const placements = (await readPlacements(db, school_id, id)).map(({ valid_from, valid_to, node_path_name, ...row }) => DevicePlacement.parse({ ...row, node_path_name: node_path_name ?? closed_place, valid_from: valid_from.toISOString(), valid_to: valid_to?.toISOString() ?? null }))
  const links = (await readLinks(db, school_id, id, links_shown)).map(({ at, ...row }) => DeviceLink.parse({ ...row, at: at.toISOString() }))
  const alarms = (await readAlarms(db, school_id, id, alarms_shown)).map(({ alarm_kind, at, cleared_at }) => DeviceAlarm.parse({ alarm_kind, at: at.toISOString(), cleared_at: cleared_at?.toISOString() ?? null }))
  const device = await toldDevice(ctx, id)
  const off = await plannedOff(db, school_id, device.device_state === offline ? [id] : [], ctx.now)
  const maintained_until = (await maintainedUntil(db, school_id, [id], ctx.now)).get(id) ?? null
  return { device, is_planned_off: off.has(id), maintained_until, placements, links, alarms, adoption: await readAdoptionTold(ctx, device), clock: clockOf(found, device.driver) }
}

/** A device in the scope of the acting identity; retired ones are told too. @throws Refusal 404 */
export async function requireDevice(ctx: DevicesCtx, device_id: string): Promise<DeviceRecord> {
  const { db, school_id, now } = ctx
  const scope = await placeScope(ctx)
  const device = await findDevice(db, school_id, device_id)
  if (!device) throw fail(commonErrors.notFound)
  const [seen] = await readDevices(db, { school_id, now, scope, device_ids: [device_id], retired: device.lifecycle === 'retired' }, { limit: 1, offset: 0 })
  if (!seen) throw fail(commonErrors.notFound)
  return device
}

/** The same, locked until the transaction ends. @throws Refusal 404 */
export async function lockDevice(ctx: DevicesCtx, device_id: string): Promise<DeviceRecord> {
  await sql`select from device where school_id = ${ctx.school_id} and device_id = ${device_id} for update`.execute(ctx.db)
  return requireDevice(ctx, device_id)
}

/** A device as it is told after a write, whatever the writer may see of it now. */
export async function toldDevice({ db, school_id, now }: Pick<DevicesCtx, 'db' | 'school_id' | 'now'>, device_id: string): Promise<Device> {
  for (const retired of [false, true]) {
    const [device] = await readDevices(db, { school_id, now, scope: 'all', device_ids: [device_id], retired }, { limit: 1, offset: 0 })
    if (device) return device
  }
  throw fail(commonErrors.notFound)
}
