import { devicesErrors, longest_maintenance_days } from '@campus/devices/contract'
import type { maintenanceApi } from '@campus/devices/contract'
import { fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import type { DevicesCtx } from '../db.ts'
import { requireDevice } from '../device.service.ts'
import { tellDevices } from '../device.watch.ts'

type Told = Reply<typeof maintenanceApi.declare>
const day_ms = 86_400_000

/** Says that somebody will work at devices. @throws Refusal 404 for one out of sight, 422 maintenanceSpan */
export async function declareMaintenance(ctx: DevicesCtx, { device_ids, reason, ...asked }: Input<typeof maintenanceApi.declare>): Promise<Told> {
  const { db, school_id, now, me } = ctx
  const [begin_at, end_at] = [asked.begin_at === undefined ? now : new Date(asked.begin_at), new Date(asked.end_at)]
  if (end_at <= begin_at || end_at <= now || end_at.getTime() - begin_at.getTime() > longest_maintenance_days * day_ms) throw fail(devicesErrors.maintenanceSpan)
  const ids = await seenIds(ctx, device_ids)
  await db
    .insertInto('device_maintenance')
    .values(ids.map(device_id => ({ school_id, device_id, begin_at, end_at, reason, declared_by: me.user_id })))
    .onConflict(conflict => conflict.columns(['school_id', 'device_id', 'begin_at']).doUpdateSet({ end_at, reason, declared_by: me.user_id }))
    .execute()
  await tellDevices({ db, school_id }, ids, 'state')
  ctx.note({ target_kind: 'devices.device', target_name: `${ids.length}台设备`, after: { device_ids: ids, begin_at: begin_at.toISOString(), end_at: end_at.toISOString() }, reason })
  return { devices: ids.length }
}

/** Says that the work is over, or will not be: what runs ends now, what has not begun is forgotten. @throws Refusal 404 */
export async function endMaintenance(ctx: DevicesCtx, { device_ids }: Input<typeof maintenanceApi.end>): Promise<Told> {
  const { db, school_id, now } = ctx
  const ids = await seenIds(ctx, device_ids)
  await db.deleteFrom('device_maintenance').where('school_id', '=', school_id).where('device_id', 'in', ids).where('begin_at', '>', now).execute()
  await db.updateTable('device_maintenance').set({ end_at: now }).where('school_id', '=', school_id).where('device_id', 'in', ids).where('end_at', '>', now).execute()
  await tellDevices({ db, school_id }, ids, 'state')
  ctx.note({ target_kind: 'devices.device', target_name: `${ids.length}台设备`, after: { device_ids: ids, ended_at: now.toISOString() } })
  return { devices: ids.length }
}

async function seenIds(ctx: DevicesCtx, device_ids: readonly string[]): Promise<string[]> {
  const ids = [...new Set(device_ids)]
  for (const device_id of ids) await requireDevice(ctx, device_id)
  return ids
}
