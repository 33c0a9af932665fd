import { devicesErrors } from '@campus/devices/contract'
import type { deviceApi } from '@campus/devices/contract'
import { fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import type { DevicesCtx } from '../db.ts'
import { lockDevice, toldDevice } from '../device.service.ts'
import { kickClients } from '../notice.ts'
import { beginAdoption, stepsOf, tryAgain } from './adoption.queries.ts'
import { readAdoptionTold } from './adoption.read.ts'

/** Makes a device that was set up by hand the school's own as well, or tries again what was refused; it comes anew for it. @throws Refusal 404, 409 deviceState, 422 driverUnsupported */
export async function adoptDevice(ctx: DevicesCtx, { device_id }: Input<typeof deviceApi.adopt>): Promise<Reply<typeof deviceApi.adopt>> {
  const { app, db, school_id, now } = ctx
  const record = await lockDevice(ctx, device_id)
  const device = await toldDevice(ctx, device_id)
  if (stepsOf(device.driver).length === 0) throw fail(devicesErrors.driverUnsupported, { params: { name: '纳管' } })
  if (record.lifecycle === 'retired' || record.lifecycle === 'pending') throw fail(devicesErrors.deviceState, { params: { state: record.lifecycle === 'retired' ? '已退役' : '未激活' } })
  await beginAdoption({ app, db, school_id, device_id, now }, device.driver)
  await tryAgain({ db, school_id, device_id })
  await kickClients({ db, school_id }, [record.device_sn])
  ctx.note({ target_kind: 'devices.device', target_id: device_id, target_name: record.device_name, after: { adoption: '开始或重试' } })
  const adoption = await readAdoptionTold(ctx, device)
  if (!adoption) throw fail(devicesErrors.driverUnsupported, { params: { name: '纳管' } })
  return { adoption }
}
