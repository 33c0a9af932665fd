import { camera_type, devicesErrors } from '@campus/devices/contract'
import type { cameraApi } from '@campus/devices/contract'
import { placeScope } from '@campus/places/server'
import { fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import type { DevicesCtx } from '../db.ts'
import { requirePath } from '../device.service.ts'
import { addDevice, retireDevice, writeDevice } from '../device.write.ts'
import { putDevice } from '../placement.ts'
import { sealStream } from '../sealed-parts.ts'
import { readExtras, writeExtras } from './camera.queries.ts'
import { lockCamera, toldCamera } from './camera.service.ts'
import { refuseChannel } from './channel.ts'

const both_ways = 3
const why_removed = '删除摄像机'

/** Registers a camera: 未激活 until its recorder has seen it. @throws Refusal as of a device, and of its channel */
export async function createCamera(ctx: DevicesCtx, { nvr_device_id, channel, stream_url, codec, ptz, ...draft }: Input<typeof cameraApi.create>): Promise<Reply<typeof cameraApi.create>> {
  const { db, school_id } = ctx
  const { device_id } = await addDevice(ctx, { ...draft, device_type: camera_type, parent_device_id: nvr_device_id, direction: both_ways, ip: null, mac: null })
  await refuseChannel({ db, school_id }, { device_id, nvr_device_id, channel })
  await writeExtras(db, school_id, device_id, { channel, codec, ptz, ...sealed(ctx, stream_url) })
  ctx.note({ target_kind: 'devices.camera', after: { ...draft, nvr_device_id, channel, codec, ptz, stream_url: stream_url === null ? null : '已填写' } })
  return { camera: await toldCamera(ctx, device_id) }
}

/** Changes a camera. The stream address is taken in sealed and stands in no log. @throws Refusal 404, 409 staleRow, cameraChannelTaken, 422 cameraChannel … */
export async function updateCamera(ctx: DevicesCtx, { id, row_version, nvr_device_id, channel, stream_url, codec, ptz, place_id, ...patch }: Input<typeof cameraApi.update>): Promise<Reply<typeof cameraApi.update>> {
  const { db, school_id, now } = ctx
  const device = await lockCamera(ctx, id)
  if (device.row_version !== row_version) throw fail(devicesErrors.staleRow)
  const [own] = await readExtras(db, school_id, [id])
  const wanted = { device_id: id, nvr_device_id: nvr_device_id === undefined ? device.parent_device_id : nvr_device_id, channel: channel === undefined ? (own?.channel ?? null) : channel }
  await refuseChannel({ db, school_id }, wanted)
  await writeDevice(ctx, device, { ...patch, ...(nvr_device_id === undefined ? {} : { parent_device_id: nvr_device_id }) })
  await writeExtras(db, school_id, id, { ...(channel === undefined ? {} : { channel }), ...(codec === undefined ? {} : { codec }), ...(ptz === undefined ? {} : { ptz }), ...sealed(ctx, stream_url) })
  if (place_id !== undefined) {
    await requirePath(ctx, place_id, await placeScope(ctx))
    await putDevice(ctx, { device_id: id, device_type: camera_type, from: now }, { place_id, direction: both_ways })
  }
  ctx.note({ target_kind: 'devices.camera', after: { ...patch, ...wanted, ...(place_id === undefined ? {} : { place_id }), ...(stream_url === undefined ? {} : { stream_url: stream_url === null ? '已清除' : '已更换' }) } })
  return { camera: await toldCamera(ctx, id) }
}

/** Takes a camera out for good; what it watched stays written. @throws Refusal 404, 409 staleRow, deviceState */
export async function removeCamera(ctx: DevicesCtx, { id, row_version }: Input<typeof cameraApi.remove>): Promise<Reply<typeof cameraApi.remove>> {
  await lockCamera(ctx, id)
  await retireDevice(ctx, { device_id: id, row_version, reason: why_removed, is_lost: false })
  return { camera: await toldCamera(ctx, id) }
}

function sealed({ app, school_id }: DevicesCtx, stream_url: string | null | undefined) {
  if (stream_url === undefined) return {}
  return { stream_sealed: stream_url === null ? null : sealStream(app.secrets.data_key, school_id, stream_url) }
}
