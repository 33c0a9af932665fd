import { camera_type } from '@campus/devices/contract'
import type { Camera, cameraApi } from '@campus/devices/contract'
import { placeScope } from '@campus/places/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import type { DevicesCtx } from '../db.ts'
import type { DeviceRecord } from '../device.queries.ts'
import { lockDevice, requireDevice, requirePath } from '../device.service.ts'
import { readHistory } from './binding.queries.ts'
import { countCameras, readCameras } from './camera.queries.ts'

/** A page of the cameras in the places that the reader may see. */
export async function listCameras(ctx: DevicesCtx, { page_index, page_size, place_id, nvr_device_id, ...filter }: Input<typeof cameraApi.list>): Promise<Reply<typeof cameraApi.list>> {
  const { db, school_id, now } = ctx
  const scope = await placeScope(ctx)
  const below = place_id === undefined ? {} : { below: (await requirePath(ctx, place_id, scope)).node_path }
  const asked = { school_id, now, scope, ...filter, ...below, ...(nvr_device_id === undefined ? {} : { parent_device_id: nvr_device_id }) }
  return { list: await readCameras(db, asked, { limit: page_size, offset: (page_index - 1) * page_size }), total: await countCameras(db, asked) }
}

/** A camera with all it has ever watched. @throws Refusal 404 */
export async function readCamera(ctx: DevicesCtx, { id }: Input<typeof cameraApi.detail>): Promise<Reply<typeof cameraApi.detail>> {
  onlyCamera(await requireDevice(ctx, id))
  return { camera: await toldCamera(ctx, id), history: await readHistory(ctx.db, ctx.school_id, id) }
}

/** A camera in the scope of the acting identity, locked until the transaction ends. @throws Refusal 404 */
export async function lockCamera(ctx: DevicesCtx, camera_id: string): Promise<DeviceRecord> {
  return onlyCamera(await lockDevice(ctx, camera_id))
}

/** @throws Refusal 404 for any other device: it is no camera to this call */
function onlyCamera(device: DeviceRecord): DeviceRecord {
  if (device.device_type !== camera_type) throw fail(commonErrors.notFound)
  return device
}

/** A camera as it is told after a write, whatever the writer may see of it now. */
export async function toldCamera({ db, school_id, now }: Pick<DevicesCtx, 'db' | 'school_id' | 'now'>, device_id: string): Promise<Camera> {
  for (const retired of [false, true]) {
    const [camera] = await readCameras(db, { school_id, now, scope: 'all', device_ids: [device_id], retired }, { limit: 1, offset: 0 })
    if (camera) return camera
  }
  throw fail(commonErrors.notFound)
}
