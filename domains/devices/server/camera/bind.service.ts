import { box_types, devicesErrors, gate_types } from '@campus/devices/contract'
import type { cameraApi } from '@campus/devices/contract'
import { placeScope } from '@campus/places/server'
import { fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import type { DevicesCtx } from '../db.ts'
import { requireDevice, requirePath } from '../device.service.ts'
import { refusePrivate } from '../placement.ts'
import { dueRules } from '../sync/due.ts'
import { endBindings, readBindings, takenSlots } from './binding.queries.ts'
import { lockCamera, toldCamera } from './camera.service.ts'

type Target = { bind_kind: 'gate' | 'room' | 'box'; target_id: string; name: string }
const gate_slots = [1, 2] as const

/**
 * Binds a camera to a gate or a place, and to the box that looks through it; what it is bound to already stays as it is, and nothing is written.
 * @throws Refusal 404, 409 cameraBound, cameraGateFull, 422 devicePrivate, cameraTarget
 */
export async function bindCamera(ctx: DevicesCtx, { camera_id, device_id, place_id, box_id }: Input<typeof cameraApi.bind>): Promise<Reply<typeof cameraApi.bind>> {
  const { db, school_id, now } = ctx
  await lockTargets(ctx, [camera_id, ...[device_id, box_id].flatMap(id => id ?? [])])
  const camera = await lockCamera(ctx, camera_id)
  if (camera.lifecycle === 'retired') throw fail(devicesErrors.deviceState, { params: { state: '已退役' } })
  const wanted = [
    ...(device_id === undefined ? [] : [await deviceTarget(ctx, 'gate', device_id, gate_types)]),
    ...(place_id === undefined ? [] : [await placeTarget(ctx, place_id)]),
    ...(box_id === undefined ? [] : [await deviceTarget(ctx, 'box', box_id, box_types)]),
  ]
  const bound = await readBindings(db, school_id, [camera_id], now)
  for (const target of wanted) {
    const before = bound.find(one => (one.bind_kind === 'box') === (target.bind_kind === 'box'))
    if (before && (before.bind_kind !== target.bind_kind || before.target_id !== target.target_id)) throw fail(devicesErrors.cameraBound, { params: { place: before.target_name } })
    if (!before) await addBinding(ctx, camera_id, target)
  }
  await dueRules(ctx, boxesOf(wanted))
  ctx.note({ target_kind: 'devices.camera', target_id: camera_id, target_name: camera.device_name, before: { bound: bound.map(one => one.target_name) }, after: { bind: wanted.map(one => one.name) } })
  return { camera: await toldCamera(ctx, camera_id) }
}

/** Ends what a camera is bound to; the history stays. @throws Refusal 404 */
export async function unbindCamera(ctx: DevicesCtx, { camera_id, device_id, place_id, box_id }: Input<typeof cameraApi.unbind>): Promise<Reply<typeof cameraApi.unbind>> {
  const { db, school_id, now } = ctx
  const camera = await lockCamera(ctx, camera_id)
  const named = [['gate', device_id], ['room', place_id], ['box', box_id]] as const
  const is_all = named.every(([, id]) => id === undefined)
  const bound = await readBindings(db, school_id, [camera_id], now)
  const ending = bound.filter(one => is_all || named.some(([kind, id]) => one.bind_kind === kind && one.target_id === id))
  await endBindings(db, school_id, ending.map(one => one.id), now)
  await dueRules(ctx, boxesOf(ending))
  ctx.note({ target_kind: 'devices.camera', target_id: camera_id, target_name: camera.device_name, before: { bound: bound.map(one => one.target_name) }, after: { unbind: ending.map(one => one.target_name) } })
  return { camera: await toldCamera(ctx, camera_id) }
}

/** The boxes among what a camera is bound to: what they are to warn of goes by their cameras. */
function boxesOf(targets: readonly { bind_kind: string; target_id: string }[]): string[] {
  return targets.flatMap(target => (target.bind_kind === 'box' ? [target.target_id] : []))
}

/** In the order of their ids, so that two who bind across do not wait for each other. */
async function lockTargets({ db, school_id }: DevicesCtx, ids: readonly string[]): Promise<void> {
  await sql`select from device where school_id = ${school_id} and device_id = any(${[...ids]}::bigint[]) order by device_id for update`.execute(db)
}

async function deviceTarget(ctx: DevicesCtx, bind_kind: 'gate' | 'box', device_id: string, types: readonly string[]): Promise<Target> {
  const device = await requireDevice(ctx, device_id)
  if (!types.includes(device.device_type) || device.lifecycle === 'retired') throw fail(devicesErrors.cameraTarget, { params: { name: device.device_name } })
  return { bind_kind, target_id: device_id, name: device.device_name }
}

async function placeTarget(ctx: DevicesCtx, place_id: string): Promise<Target> {
  const { node_path_name } = await requirePath(ctx, place_id, await placeScope(ctx))
  await refusePrivate(ctx, place_id)
  return { bind_kind: 'room', target_id: place_id, name: node_path_name }
}

async function addBinding({ db, school_id, now, me }: DevicesCtx, camera_device_id: string, { bind_kind, target_id, name }: Target): Promise<void> {
  const target = bind_kind === 'room' ? { place_id: target_id } : { target_device_id: target_id }
  await db.insertInto('camera_binding').values({ school_id, camera_device_id, bind_kind, ...target, gate_slot: bind_kind === 'gate' ? await freeSlot({ db, school_id, now }, target_id, name) : null, bound_by: me.user_id, valid_from: now }).execute()
}

/** @throws Refusal 409 when two cameras watch this gate already */
async function freeSlot({ db, school_id, now }: Pick<DevicesCtx, 'db' | 'school_id' | 'now'>, gate_id: string, name: string): Promise<number> {
  const taken = await takenSlots(db, school_id, gate_id, now)
  const free = gate_slots.find(slot => !taken.includes(slot))
  if (free === undefined) throw fail(devicesErrors.cameraGateFull, { params: { name } })
  return free
}
