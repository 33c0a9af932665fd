import { api, get, Instant } from '@kit/contract'
import { z } from 'zod'
import { Device } from './device.ts'
import { DeviceId } from './device-id.ts'
import { DEVICE_STATE } from './dictionary.ts'

/** Kinds of the monitor: AI boxes, recorders, power controllers, vehicle terminals (chapter 30 §5). */
export const monitored_types = ['15', '07', '23', '08'] as const
/** Hours that the ribbon of a box shows. */
export const ribbon_hours = 24

const Pct = z.number().int().nullable()
/** How a box was at its last word. */
const Metric = z.object({ at: Instant, cpu_pct: Pct, mem_pct: Pct, temp_c: Pct, disk_free_mb: Pct })
const Child = z.object({ device_id: DeviceId, device_name: z.string(), device_type: z.string(), device_state: z.enum(DEVICE_STATE.codes), channel: z.number().int().nullable(), snapshot_at: Instant.nullable() })

/** A box with how it is, what hangs below it, and when its line was there in the last 24 hours. */
export const Box = Device.extend({ metric: Metric.nullable(), children: z.array(Child), ribbon: z.array(z.object({ from: Instant, to: Instant })) })
export type Box = z.output<typeof Box>

export const boxApi = api('iot', 'devices.box', {
  list: get('device/box', { reply: z.object({ list: z.array(Box), at: Instant }), need: 'devices.device.view', within: 'place' }),
})
