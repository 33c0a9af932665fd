import type { cameraApi } from '@campus/devices/contract'
import { placeScope } from '@campus/places/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import type { DevicesCtx } from '../db.ts'
import { readDevices } from '../device.queries.ts'
import { requireDevice } from '../device.service.ts'
import { grace_ms } from './live.service.ts'
import { moveView, readViews } from './view.queries.ts'

/** A look this short is none (chapter 30 rule 24). */
const glance_s = 3

/** The page says that it shows these cameras no more: what was looked at for longer than a glance goes into the log with its seconds. @throws Refusal 404 when it may see none of them */
export async function endViews(ctx: DevicesCtx, { camera_ids }: Input<typeof cameraApi.watched>): Promise<Reply<typeof cameraApi.watched>> {
  const { db, school_id, now, me } = ctx
  const scope = await placeScope(ctx)
  const cameras = await readDevices(db, { school_id, now, scope, device_ids: camera_ids }, { limit: camera_ids.length, offset: 0 })
  if (cameras.length === 0) throw fail(commonErrors.notFound)
  const looked: { name: string; seconds: number }[] = []
  for (const { device_id, device_name } of cameras) {
    const seconds = await moveView(db, { school_id, device_id, user_id: me.user_id }, { now, grace_ms })
    if (seconds !== undefined && seconds > glance_s) looked.push({ name: device_name, seconds })
  }
  ctx.note({ target_kind: 'devices.camera', target_name: `${looked.length}台摄像机`, after: { looked } })
  return { ended: looked.length }
}

/** Who has watched the cameras in the reader's places. @throws Refusal 404 for a camera of somewhere else */
export async function listViews(ctx: DevicesCtx, { page_index, page_size, ...asked }: Input<typeof cameraApi.views>): Promise<Reply<typeof cameraApi.views>> {
  const { db, school_id, now } = ctx
  if (asked.camera_id !== undefined) await requireDevice(ctx, asked.camera_id)
  return readViews(db, { school_id, now, scope: await placeScope(ctx), ...asked }, { limit: page_size, offset: (page_index - 1) * page_size })
}
