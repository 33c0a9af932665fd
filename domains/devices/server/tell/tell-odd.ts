import { devicesTemplates } from '@campus/devices/contract'
import { send } from '@campus/messages/server'
import type { Sender } from '@campus/messages/server'
import { schoolDay } from '@campus/school/server'
import { cut, home, placeOf } from './device-words.ts'
import { receiversAt } from './receivers.ts'

const [device_field, place_field] = [47, 60] as const
const odd = { identity: devicesTemplates.identity, local_schedule: devicesTemplates.localSchedule }

/** A device speaks under another one's name, or closes by times of its own: whoever looks after its place hears of it, once a day (chapter 31 §5.7.12, §5.7.13). */
export async function tellOdd(desk: Sender, device_id: string, what: keyof typeof odd): Promise<void> {
  const device = await placeOf(desk, device_id)
  const to = device ? await receiversAt(desk, device.node_path, false) : []
  if (!device || to.length === 0) return
  const values = { device: cut(device.device_name, device_field), place: cut(device.node_path_name ?? '未绑定场所', place_field) }
  await send(desk, { template: odd[what], source_ref: `${what}/${device_id}/${schoolDay(desk.now)}`, to, values, link: `${home}?keyword=${encodeURIComponent(device.device_name)}`, level: 2 })
}
