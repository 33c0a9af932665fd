import { command_names } from '@campus/devices/contract'
import type { commandApi, DeviceCommand } from '@campus/devices/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import type { DevicesCtx } from '../db.ts'
import { requireDevice } from '../device.service.ts'
import { readCommand, readCommands } from './command.queries.ts'
import { control } from './control.ts'

/** Tells a device to do something; whether it did is read by the command's id. @throws Refusal 404, 409 deviceOffline, 422 driverUnsupported */
export async function controlDevice(ctx: DevicesCtx, { device_id, command }: Input<typeof commandApi.control>): Promise<Reply<typeof commandApi.control>> {
  const { db, school_id, now, me } = ctx
  const device = await requireDevice(ctx, device_id)
  const command_id = await control({ db, school_id, now, asked_by: me.user_id }, device_id, command)
  ctx.note({ target_kind: 'devices.device', target_id: device_id, target_name: device.device_name, after: { command: command_names[command] } })
  return found(await readCommand(db, school_id, command_id, now))
}

/** A command and what became of it. @throws Refusal 404 for one of a device out of sight */
export async function tellCommandOf(ctx: DevicesCtx, { id }: Input<typeof commandApi.read>): Promise<DeviceCommand> {
  const command = found(await readCommand(ctx.db, ctx.school_id, id, ctx.now))
  await requireDevice(ctx, command.device_id)
  return command
}

/** The commands of a device, the latest first. @throws Refusal 404 for a device out of sight */
export async function listCommands(ctx: DevicesCtx, { id, page_index, page_size }: Input<typeof commandApi.list>): Promise<Reply<typeof commandApi.list>> {
  await requireDevice(ctx, id)
  return readCommands(ctx.db, { school_id: ctx.school_id, device_id: id }, { limit: page_size, offset: (page_index - 1) * page_size })
}

function found(command: DeviceCommand | undefined): DeviceCommand {
  if (!command) throw fail(commonErrors.notFound)
  return command
}
