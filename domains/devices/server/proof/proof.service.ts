import { devicesErrors } from '@campus/devices/contract'
import type { syncApi } from '@campus/devices/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import type { DevicesCtx } from '../db.ts'
import { requireDevice } from '../device.service.ts'
import { wakeSenders } from '../notice.ts'
import { readTarget } from '../sync/facts.queries.ts'
import { readSetting } from '../setting/setting.queries.ts'
import { dueWhole } from '../sync/due.ts'
import { countDrifts, lastProof, lockDrifts, readDrifts, settleDrifts } from './drift.queries.ts'
import { askProof } from './proof.queries.ts'
import { canRead } from './reading.ts'
import { deleteForeign, isUnderWay, sendAgain, sendRefused } from './resend.write.ts'

const mode_names = { diff: '重新推导', verify: '回读核对', rebuild: '重建' } as const

/**
 * Brings a device in line: `diff` derives anew what it is to hold, `verify` reads back what it holds, `rebuild` writes every row anew and reads back.
 * @throws Refusal 404, 409 syncRunning, 422 driverUnsupported, rebuildUnconfirmed
 */
export async function resync(ctx: DevicesCtx, { id, mode, confirm }: Input<typeof syncApi.resync>): Promise<Reply<typeof syncApi.resync>> {
  const { db, school_id, now, me } = ctx
  const { device_name } = await requireDevice(ctx, id)
  const of = { school_id, device_id: id }
  const target = await readTarget(db, school_id, id, now)
  if (!target || !canRead(target.driver)) throw fail(devicesErrors.driverUnsupported, { params: { name: mode_names[mode] } })
  if (mode === 'rebuild' && confirm !== device_name) throw fail(devicesErrors.rebuildUnconfirmed, { params: { name: device_name } })
  if (mode === 'rebuild' && (await isUnderWay(db, of))) throw fail(devicesErrors.syncRunning)
  if (mode === 'rebuild') await sendAgain(db, of, now)
  if (mode === 'diff') await dueWhole({ db, school_id, now }, [id])
  else await askProof(db, of, now, { asked_by: me.user_id, is_rebuild: mode === 'rebuild' })
  ctx.note({ target_kind: 'devices.device', target_id: id, target_name: device_name, after: { mode: mode_names[mode] } })
  return { proof: await lastProof(db, of) }
}

/** Sends what a device has refused once more, for somebody who has mended why. @returns how many rows go @throws Refusal 404, 422 rowsNotRefused */
export async function resendRows(ctx: DevicesCtx, { id, rows }: Input<typeof syncApi.resend>): Promise<Reply<typeof syncApi.resend>> {
  const { db, school_id, now } = ctx
  const { device_name } = await requireDevice(ctx, id)
  const sent = await sendRefused(db, { school_id, device_id: id }, rows, now)
  if (sent === 0) throw fail(devicesErrors.rowsNotRefused)
  await wakeSenders({ db, school_id }, [id])
  ctx.note({ target_kind: 'devices.device', target_id: id, target_name: device_name, after: { resent: rows.map(row => `${row.kind} ${row.row_key}`) } })
  return { rows: sent }
}

/** What a device holds otherwise than it is to be. @throws Refusal 404 for a device out of sight */
export async function listDrift(ctx: DevicesCtx, { page_index, page_size, ...asked }: Input<typeof syncApi.drift>): Promise<Reply<typeof syncApi.drift>> {
  const { db, school_id } = ctx
  await requireDevice(ctx, asked.device_id)
  const filter = { school_id, ...asked }
  return { list: await readDrifts(db, filter, { limit: page_size, offset: (page_index - 1) * page_size }), total: await countDrifts(db, filter), proof: await lastProof(db, filter), read_back_hour: (await readSetting(db, school_id)).read_back_hour }
}

/** Settles differences: foreign rows are left on the device, deleted from it, or not mentioned until the next read-back. @throws Refusal 404 for one out of sight or settled */
export async function resolveDrift(ctx: DevicesCtx, { ids, action }: Input<typeof syncApi.drift_resolve>): Promise<Reply<typeof syncApi.drift_resolve>> {
  const { db, school_id, now, me } = ctx
  const drifts = await lockDrifts(db, school_id, [...new Set(ids)])
  if (drifts.length < new Set(ids).size) throw fail(commonErrors.notFound)
  const devices = [...new Set(drifts.map(drift => drift.device_id))]
  for (const device_id of devices) await requireDevice(ctx, device_id)
  const foreign = drifts.filter(drift => drift.found === 'foreign')
  if (action === 'delete') await deleteForeign(db, school_id, foreign, now)
  const chosen = action === 'ignore' ? drifts : foreign
  await settleDrifts(db, school_id, chosen.map(drift => drift.drift_id), { resolution: action, resolved_by: me.user_id, now })
  if (action === 'delete') await wakeSenders({ db, school_id }, devices)
  ctx.note({ target_kind: 'devices.device', target_name: `${chosen.length}条差异`, after: { action, device_ids: devices } })
  return { resolved: chosen.length }
}
