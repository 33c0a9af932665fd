import { devicesTemplates } from '@campus/devices/contract'
import { send } from '@campus/messages/server'
import type { Sender } from '@campus/messages/server'
import { minuteText } from '@kit/server/excel'
import { receiversAt } from './receivers.ts'

/** The broker is gone: one message for all devices of a school. */
export async function tellOutage(desk: Sender, since: Date, devices: number): Promise<void> {
  const to = await receiversAt(desk, null, true)
  if (to.length > 0) await send(desk, { template: devicesTemplates.outage, source_ref: `outage/${since.toISOString()}`, to, values: { at: minuteText(since), count: String(devices) }, link: '/DeviceControl', level: 3 })
}
