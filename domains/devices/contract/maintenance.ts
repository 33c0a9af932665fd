import { api, Instant, post } from '@kit/contract'
import { z } from 'zod'
import { DeviceId } from './device-id.ts'
import { most_devices } from './device.ts'
import { Reason } from './reason.ts'

/** No window is longer than this. */
export const longest_maintenance_days = 31
const Ids = z.array(DeviceId).min(1, { error: '请选择设备' }).max(most_devices, { error: `一次最多处理${most_devices}台设备` })
const Told = z.object({ devices: z.number().int() })
const edit = { need: 'devices.device.edit', within: 'place', op: 4 } as const

/** Windows in which somebody works at devices: they are not missed then (chapter 30 rule 16). `begin_at`: now where nothing is said. */
export const maintenanceApi = api('iot', 'devices.maintenance', {
  declare: post('device/maintenance', { body: z.strictObject({ device_ids: Ids, begin_at: Instant.optional(), end_at: Instant, reason: Reason }), reply: Told, ...edit }),
  /** ends what runs now, and forgets what has not begun */
  end: post('device/maintenance/end', { body: z.strictObject({ device_ids: Ids }), reply: Told, ...edit }),
})
