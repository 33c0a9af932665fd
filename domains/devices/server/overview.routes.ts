import { overviewApi, ribbon_hours } from '@campus/devices/contract'
import { placeScope } from '@campus/places/server'
import type { Input, Reply } from '@kit/contract'
import { readTurns } from './box/box.queries.ts'
import { ribbonOf } from './box/ribbon.ts'
import { implement } from './db.ts'
import type { DevicesCtx } from './db.ts'
import { countAttention } from './device.queries.ts'
import { requireDevice } from './device.service.ts'
import { readWaits } from './overview.queries.ts'

const hour_ms = 3_600_000

export const overviewRoutes = implement(overviewApi, {
  attention: async ctx => countAttention(ctx.db, { school_id: ctx.school_id, now: ctx.now, scope: await placeScope(ctx) }),
  read: (ctx, asked) => readOverview(ctx, asked),
})

/** How a device has been and what waits for it. @throws Refusal 404 */
async function readOverview(ctx: DevicesCtx, { id }: Input<typeof overviewApi.read>): Promise<Reply<typeof overviewApi.read>> {
  const { online } = await requireDevice(ctx, id)
  const { db, school_id, now } = ctx
  const from = new Date(now.getTime() - ribbon_hours * hour_ms)
  const turns = await readTurns(db, school_id, [id], from)
  return { at: now.toISOString(), ribbon: ribbonOf(turns, { from, to: now, is_online: online }), queue: await readWaits(db, school_id, id, now) }
}
