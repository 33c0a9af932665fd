import { Box, boxApi, monitored_types, ribbon_hours } from '@campus/devices/contract'
import { placeScope } from '@campus/places/server'
import type { Reply } from '@kit/contract'
import { readChildren, readMetrics, readTurns } from './box/box.queries.ts'
import { ribbonOf } from './box/ribbon.ts'
import { implement } from './db.ts'
import type { DevicesCtx } from './db.ts'
import { readDevices } from './device.queries.ts'

const hour_ms = 3_600_000
const [most_boxes, online] = [500, '1'] as const

export const boxRoutes = implement(boxApi, { list: ctx => listBoxes(ctx) })

/** The boxes, recorders, controllers and vehicle terminals in the reader's places, with how each of them is. */
async function listBoxes(ctx: DevicesCtx): Promise<Reply<typeof boxApi.list>> {
  const { db, school_id, now } = ctx
  const scope = await placeScope(ctx)
  const devices = []
  for (const device_type of monitored_types) devices.push(...(await readDevices(db, { school_id, now, scope, device_type }, { limit: most_boxes, offset: 0 })))
  const ids = devices.map(device => device.device_id)
  const from = new Date(now.getTime() - ribbon_hours * hour_ms)
  const metrics = new Map((await readMetrics(db, school_id, ids, from)).map(({ device_id, ...metric }) => [device_id, metric]))
  const children = Map.groupBy(await readChildren(db, school_id, ids), row => row.parent_device_id)
  const turns = Map.groupBy(await readTurns(db, school_id, ids, from), row => row.device_id)
  const list = devices.map(device => {
    const { device_id, device_state } = device
    const below = (children.get(device_id) ?? []).map(({ parent_device_id: _parent, snapshot_at, ...child }) => ({ ...child, snapshot_at: snapshot_at?.toISOString() ?? null }))
    return Box.parse({ ...device, metric: metrics.get(device_id) ?? null, children: below, ribbon: ribbonOf(turns.get(device_id) ?? [], { from, to: now, is_online: device_state === online }) })
  })
  return { list, at: now.toISOString() }
}
