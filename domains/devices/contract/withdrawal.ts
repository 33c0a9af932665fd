import { api, get, Instant } from '@kit/contract'
import { z } from 'zod'
import { DeviceId } from './device-id.ts'
import { DEVICE_STATE } from './dictionary.ts'

/** How many days the figure looks back: receipts of rows are kept as long. */
export const withdrawal_days = 30
/** A device that may still hold what was to go: lost cards and people who have left. `since`: of the oldest; `persons`, and the names of some of them. */
export const Withholding = z.object({ device_id: DeviceId, device_name: z.string(), node_path_name: z.string().nullable(), device_state: z.enum(DEVICE_STATE.codes), last_seen_at: Instant.nullable(), since: Instant, persons: z.number().int(), names: z.array(z.string()) })
export type Withholding = z.output<typeof Withholding>
/** How long it has taken from a loss or a leave until the last device had confirmed it, in seconds: `done` of them, half of them within `median_s`; null without any. */
export const WithdrawalTime = z.object({ done: z.number().int(), median_s: z.number().int().nullable(), longest_s: z.number().int().nullable() })

/** Which doors would still let somebody in who may not come any more, and how fast doors forget (chapter 30 §10.2). */
export const withdrawalApi = api('iot', 'devices.withdrawal', {
  read: get('device/withdrawals', { reply: z.object({ list: z.array(Withholding), time: WithdrawalTime }), need: 'devices.sync.view', within: 'place' }),
})
