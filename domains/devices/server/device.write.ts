import { alarm_kinds, camera_type, DEVICE_STATE, devicesErrors, devicesEvents } from '@campus/devices/contract'
import type { deviceApi, DeviceSetup } from '@campus/devices/contract'
import { placeScope } from '@campus/places/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { publish } from '@kit/server/event'
import { forgetSecret } from './adoption/adoption.queries.ts'
import { endBindingsOf, inheritCamera } from './camera/camera.follow.ts'
import { readExtras } from './camera/camera.queries.ts'
import { refuseChannel } from './camera/channel.ts'
import { endWaits } from './change/confirm.ts'
import { addClient, renewSecret, revokeClients } from './client.queries.ts'
import type { DevicesCtx } from './db.ts'
import { canParent, hasChildren } from './device.queries.ts'
import type { DeviceRecord } from './device.queries.ts'
import { endAlarms } from './event/alarm.write.ts'
import { facesLost } from './erasure/held.write.ts'
import { lockDevice, requirePath, toldDevice } from './device.service.ts'
import { tellTurned } from './link/link.write.ts'
import { connecting_drivers, findModel } from './model.queries.ts'
import { kickClients } from './notice.ts'
import { putDevice } from './placement.ts'
import { endHold } from './proof/hold.ts'
import { tellHolds } from './proof/hold.tell.ts'
import { claimSerials, freeSerial } from './serial.queries.ts'
import { setupOf } from './setup.ts'
import { countHeld } from './state/state.queries.ts'
import { tellLostData } from './tell/tell-data.ts'

type Draft = Input<typeof deviceApi.create>
const both_ways = 3
const backdate_ms = 24 * 3_600_000

/** Registers a device; it is 未激活 until it has connected by itself. @throws Refusal 404, 409 deviceSnTaken, deviceNameTaken, deviceClientConflict, 422 deviceModelType … */
export async function createDevice(ctx: DevicesCtx, draft: Draft): Promise<Reply<typeof deviceApi.create>> {
  const { device_id, driver } = await addDevice(ctx, draft)
  const setup = connecting_drivers.includes(driver) ? setupOf(ctx.app, { client_id: draft.device_sn, secret: await addClient(ctx.db, { school_id: ctx.school_id, device_id }, draft.device_sn), driver }) : null
  return { device: await toldDevice(ctx, device_id), setup }
}

/** Writes a new device where it stands; its way into the broker is the caller's. */
export async function addDevice(ctx: DevicesCtx, { place_id, direction, ...draft }: Draft): Promise<{ device_id: string; driver: string }> {
  const { db, school_id, now } = ctx
  const scope = await placeScope(ctx)
  // Devices that stand nowhere are everybody's: whoever sees single places puts his into one of them.
  if (place_id === null && scope !== 'all') throw fail(commonErrors.notFound)
  if (place_id !== null) await requirePath(ctx, place_id, scope)
  const driver = await requireModel(ctx, draft)
  await refuseParent(ctx, draft.parent_device_id)
  const { device_id } = await db.insertInto('device').values({ school_id, ...draft }).returning('device_id').executeTakeFirstOrThrow()
  await claimSerials(db, school_id, [{ device_id, device_sn: draft.device_sn }])
  if (place_id !== null) await putDevice(ctx, { device_id, device_type: draft.device_type, from: now }, { place_id, direction })
  ctx.note({ target_kind: 'devices.device', target_id: device_id, target_name: draft.device_name, after: { ...draft, place_id, direction } })
  return { device_id, driver }
}

async function requireModel({ db }: DevicesCtx, { model_code, device_type }: Pick<Draft, 'model_code' | 'device_type'>): Promise<string> {
  const model = await findModel(db, model_code)
  if (!model) throw fail(devicesErrors.deviceModelUnknown)
  if (model.device_type !== device_type && model.device_type !== '99') throw fail(devicesErrors.deviceModelType)
  return model.driver
}

async function refuseParent({ db, school_id }: DevicesCtx, parent_device_id: string | null | undefined, device_id?: string): Promise<void> {
  if (parent_device_id === null || parent_device_id === undefined) return
  if (parent_device_id === device_id || !(await canParent(db, school_id, parent_device_id))) throw fail(devicesErrors.deviceParent)
  // One level: what hangs below a gateway is no gateway itself.
  if (device_id !== undefined && (await hasChildren(db, school_id, device_id))) throw fail(devicesErrors.deviceHasChildren)
}

/** A camera that comes to another recorder keeps its channel, if nobody else has it there. */
async function refuseCameraParent({ db, school_id }: DevicesCtx, { device_id, device_type }: DeviceRecord, nvr_device_id: string | null): Promise<void> {
  const [own] = device_type === camera_type ? await readExtras(db, school_id, [device_id]) : []
  if (own) await refuseChannel({ db, school_id }, { device_id, nvr_device_id, channel: own.channel })
}

/** Changes what is written about a device. @throws Refusal 404, 409 staleRow, deviceNameTaken, deviceState */
export async function updateDevice(ctx: DevicesCtx, { id, row_version, ...patch }: Input<typeof deviceApi.update>): Promise<Reply<typeof deviceApi.update>> {
  const device = await lockDevice(ctx, id)
  refuseStale(device, row_version)
  if (patch.parent_device_id !== device.parent_device_id) await refuseParent(ctx, patch.parent_device_id, id)
  if (patch.parent_device_id !== undefined) await refuseCameraParent(ctx, device, patch.parent_device_id)
  await writeDevice(ctx, device, patch)
  return { device: await toldDevice(ctx, id) }
}

/** Puts a device somewhere else, or nowhere. Up to a day back, with a reason. @throws Refusal 404, 422 devicePlacedAt, devicePlacedBefore, devicePrivate */
export async function placeDevice(ctx: DevicesCtx, { device_id, place_id, direction, from, reason }: Input<typeof deviceApi.place>): Promise<Reply<typeof deviceApi.place>> {
  const { now } = ctx
  const device = await lockDevice(ctx, device_id)
  const at = from === undefined ? now : new Date(from)
  if (at > now || now.getTime() - at.getTime() > backdate_ms || (at < now && !reason && from !== undefined)) throw fail(devicesErrors.devicePlacedAt)
  const scope = await placeScope(ctx)
  if (place_id === null && scope !== 'all') throw fail(commonErrors.notFound)
  if (place_id !== null) await requirePath(ctx, place_id, scope)
  const before = await toldDevice(ctx, device_id)
  await putDevice(ctx, { device_id, device_type: device.device_type, from: at }, place_id === null ? null : { place_id, direction })
  ctx.note({ target_kind: 'devices.device', target_id: device_id, target_name: device.device_name, before: { place_id: before.place_id, direction: before.direction }, after: { place_id, direction, from: at.toISOString() }, ...(reason ? { reason } : {}) })
  return { device: await toldDevice(ctx, device_id) }
}

/** Lets a disabled device work again, or takes one out of work: it stays connected, and nothing new is put onto it. @throws Refusal 404, 409 staleRow, deviceState */
export async function setEnabled(ctx: DevicesCtx, { device_id, row_version }: Input<typeof deviceApi.enable>, lifecycle: 'active' | 'disabled'): Promise<Reply<typeof deviceApi.enable>> {
  const device = await lockDevice(ctx, device_id)
  refuseStale(device, row_version)
  const from = lifecycle === 'active' ? 'disabled' : 'active'
  if (device.lifecycle !== from) throw await wrongState(ctx, device_id)
  await writeDevice(ctx, device, { lifecycle })
  await tellTurned(ctx, [device_id])
  return { device: await toldDevice(ctx, device_id) }
}

/** Takes a device out for good: its name is free, its history stays, its session ends. @throws Refusal 404, 409 staleRow, deviceState, deviceNotEmptied unless it is lost */
export async function retireDevice(ctx: DevicesCtx, { device_id, ...asked }: Input<typeof deviceApi.retire>): Promise<Reply<typeof deviceApi.retire>> {
  await retire(ctx, await lockDevice(ctx, device_id), asked)
  return { device: await toldDevice(ctx, device_id) }
}

async function retire(ctx: DevicesCtx, device: DeviceRecord, { row_version, reason, is_lost }: Omit<Input<typeof deviceApi.retire>, 'device_id'>): Promise<void> {
  const { db, school_id, now } = ctx
  const { device_id } = device
  refuseStale(device, row_version)
  if (device.lifecycle === 'retired') throw await wrongState(ctx, device_id)
  const held = is_lost ? 0 : await countHeld(db, { school_id, device_id })
  if (held > 0) throw fail(devicesErrors.deviceNotEmptied, { params: { n: held } })
  if (is_lost) await tellLostData(ctx, device_id)
  if (is_lost) await facesLost(db, { school_id, device_id })
  await putDevice(ctx, { device_id, device_type: device.device_type, from: now }, null)
  await endBindingsOf(ctx, device_id, now)
  await writeDevice(ctx, device, { lifecycle: 'retired', online: false, online_since: null, confirming_since: null, offline_reason: 'kick', ...(is_lost ? { lost_at: now } : {}) }, reason)
  await freeSerial(db, { school_id, device_id })
  await endWaits(ctx, device_id)
  await endHold(db, { school_id, device_id }, now)
  await tellHolds(ctx, [device_id])
  // What was wrong at it is nobody's to mend any more.
  await endAlarms({ ...ctx, device_id }, alarm_kinds, now.toISOString())
  await publish(ctx, devicesEvents.stateChanged, { device_id, device_state: null, at: now.toISOString() })
  await kickClients({ db, school_id }, await revokeClients(db, { school_id, device_id }, now))
}

/**
 * Puts a new piece of hardware in the place of another one: the old one is retired, the new one stands where it stood, under its name, and is filled when
 * it comes. @throws Refusal as of retiring and of creating
 */
export async function replaceDevice(ctx: DevicesCtx, { device_id, device_sn, ...asked }: Input<typeof deviceApi.replace>): Promise<Reply<typeof deviceApi.replace>> {
  const old = await lockDevice(ctx, device_id)
  const { place_id, direction, device_type } = await toldDevice(ctx, device_id)
  await retire(ctx, old, asked)
  const { device_name, model_code, parent_device_id, note } = old
  const made = await createDevice(ctx, { device_sn, device_name, device_type, model_code, parent_device_id, note, place_id, direction: direction ?? both_ways, ip: null, mac: null })
  await inheritCamera(ctx, { old_id: device_id, new_id: made.device.device_id, now: ctx.now })
  await publish(ctx, devicesEvents.replaced, { device_id, new_device_id: made.device.device_id, at: ctx.now.toISOString() })
  return made
}

/** Stops and resumes what is put onto devices; deletions always go on (chapter 30 rule 26). @returns how many changed */
export async function setPush(ctx: DevicesCtx, { device_ids, is_push }: Input<typeof deviceApi.ispush>): Promise<Reply<typeof deviceApi.ispush>> {
  let changed = 0
  for (const device_id of [...new Set(device_ids)].toSorted()) {
    const device = await lockDevice(ctx, device_id)
    if (device.is_push === (is_push === 1)) continue
    await writeDevice(ctx, device, { is_push: is_push === 1 })
    changed += 1
  }
  ctx.note({ target_kind: 'devices.device', target_name: `${changed}台设备`, after: { is_push: is_push === 1, device_ids } })
  return { changed }
}

/** A new secret for a device that is to be set up again. @throws Refusal 404, 409 staleRow, deviceState when it does not connect by itself */
export async function changeSecret(ctx: DevicesCtx, { device_id, row_version }: Input<typeof deviceApi.secret>): Promise<{ device: Reply<typeof deviceApi.detail>['device']; setup: DeviceSetup }> {
  const device = await lockDevice(ctx, device_id)
  refuseStale(device, row_version)
  const renewed = await renewSecret(ctx.db, { school_id: ctx.school_id, device_id }, ctx.now)
  if (!renewed) throw await wrongState(ctx, device_id)
  await forgetSecret({ db: ctx.db, school_id: ctx.school_id, device_id })
  ctx.note({ target_kind: 'devices.device', target_id: device_id, target_name: device.device_name, after: { secret: '已更换' } })
  const driver = (await findModel(ctx.db, device.model_code))?.driver ?? ''
  return { device: await toldDevice(ctx, device_id), setup: setupOf(ctx.app, { ...renewed, driver }) }
}

function refuseStale(device: DeviceRecord, row_version: number): void {
  if (device.row_version !== row_version) throw fail(devicesErrors.staleRow)
}

async function wrongState(ctx: DevicesCtx, device_id: string) {
  const { device_state } = await toldDevice(ctx, device_id)
  return fail(devicesErrors.deviceState, { params: { state: device_state === null ? '已退役' : DEVICE_STATE.names[device_state] } })
}

type Patch = Partial<Omit<DeviceRecord, 'school_id' | 'device_id' | 'row_version'>>

/** Writes what changes of a device, and that it did. */
export async function writeDevice(ctx: DevicesCtx, device: DeviceRecord, patch: Patch, reason?: string): Promise<void> {
  const { db, school_id, now } = ctx
  await db.updateTable('device').set({ ...patch, row_version: device.row_version + 1, updated_at: now }).where('school_id', '=', school_id).where('device_id', '=', device.device_id).execute()
  const before = Object.fromEntries(Object.entries(device).filter(([name]) => name in patch))
  ctx.note({ target_kind: 'devices.device', target_id: device.device_id, target_name: device.device_name, before, after: patch, ...(reason ? { reason } : {}) })
}
