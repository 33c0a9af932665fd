import { wire_lease_s, wireApi } from '@campus/devices/contract'
import type { Input, Reply } from '@kit/contract'
import { implement } from './db.ts'
import type { DevicesCtx } from './db.ts'
import { requireDevice } from './device.service.ts'
import { tellWatched } from './notice.ts'

export const wireRoutes = implement(wireApi, { watch: (ctx, asked) => watchWire(ctx, asked) })

/** Has the messages of a device told on its channel for five minutes, on whichever node its line is. @throws Refusal 404 */
async function watchWire(ctx: DevicesCtx, { id }: Input<typeof wireApi.watch>): Promise<Reply<typeof wireApi.watch>> {
  const { device_name } = await requireDevice(ctx, id)
  const { db, school_id, now } = ctx
  await tellWatched({ db, school_id }, id)
  ctx.note({ target_kind: 'devices.device', target_id: id, target_name: device_name })
  return { until: new Date(now.getTime() + wire_lease_s * 1000).toISOString() }
}
