import type { ruleApi } from '@campus/devices/contract'
import type { Input, Reply } from '@kit/contract'
import type { DevicesCtx } from '../db.ts'
import { requireDevice } from '../device.service.ts'
import { wakeSenders } from '../notice.ts'
import { dueWhole } from '../sync/due.ts'
import { lockPlan } from '../sync/planner.ts'
import { followRules } from './rule.plan.ts'

/**
 * Compiles the rules of these devices anew and pushes what differs, nothing else; twice changes nothing the second time (chapter 30 rule 20).
 * @throws Refusal 404 for a device out of sight
 */
export async function syncRules(ctx: DevicesCtx, { device_ids }: Input<typeof ruleApi.sync>): Promise<Reply<typeof ruleApi.sync>> {
  const { db, school_id, now } = ctx
  const list: Reply<typeof ruleApi.sync>['list'] = []
  // In one order, so that two who do this at once do not wait for each other.
  for (const device_id of [...new Set(device_ids)].toSorted()) {
    const { online } = await requireDevice(ctx, device_id)
    await lockPlan(db, school_id, device_id)
    const { changed, unchanged, blocked, is_narrowed } = await followRules(db, { school_id, device_id }, now)
    if (is_narrowed) await dueWhole(ctx, [device_id])
    list.push({ device_id, changed, unchanged, blocked, offline: online ? 0 : changed })
  }
  await wakeSenders({ db, school_id }, list.filter(one => one.changed > 0).map(one => one.device_id))
  ctx.note({ target_kind: 'devices.rule', target_name: `${list.length}台设备`, after: { devices: list } })
  return { list }
}
