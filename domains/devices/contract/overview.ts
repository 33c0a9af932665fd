import { api, get, Instant } from '@kit/contract'
import { z } from 'zod'
import { DeviceId } from './device-id.ts'

/** How long something has waited, in the words of the screens: up to a minute, an hour, a day, and longer. */
export const wait_ages = ['1分钟内', '1小时内', '1天内', '超过1天'] as const
const count = z.number().int()
/** What of a kind waits for a device: rows it is to take, or commands it has not answered; `ages` beside `wait_ages`. */
export const DeviceWait = z.object({ lane: z.enum(['row', 'command']), kind: z.string(), ages: z.tuple([count, count, count, count]), oldest_at: Instant })
export type DeviceWait = z.output<typeof DeviceWait>

/** How a device has been: when its line was there in the last 24 hours, and what waits for it now; and of all devices how many differ from what they are to hold, how many wait for something, and which of them for the longest. */
export const overviewApi = api('iot', 'devices.overview', {
  attention: get('device/attention', { reply: z.object({ drift: count, queue: count, oldest: z.object({ device_name: z.string(), at: Instant }).nullable() }), need: 'devices.device.view', within: 'place' }),
  read: get('device/:id/overview', {
    params: z.object({ id: DeviceId }),
    reply: z.object({ at: Instant, ribbon: z.array(z.object({ from: Instant, to: Instant })), queue: z.array(DeviceWait) }),
    need: 'devices.device.view',
    within: 'place',
  }),
})
