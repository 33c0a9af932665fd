import { PlaceId } from '@campus/places/contract'
import { api, filter, get, post, sheet } from '@kit/contract'
import { z } from 'zod'
import { DeviceId } from './device-id.ts'
import { export_days } from './export-days.ts'

const longest_reason = 100
/** Rows of one export (chapter 30 §6), and from how many on a reason is wanted: they are about people. */
export const [most_passes, passes_reason_above] = [1_000_000, 1000] as const

const asked = {
  ...export_days,
  place_id: filter(PlaceId),
  device_id: filter(DeviceId),
  keyword: filter(z.string().trim().max(64, { error: '超过64个字' })),
  pass_state: filter(z.string().regex(/^\d{1,2}$/u)),
}
const may = { need: 'devices.card.export', within: 'place' } as const

/** Who has been at which door when: `place_id` with everything below it, `keyword` a part of a name or a number, `pass_state` of PASS_STATE; many rows want a `reason`. */
export const passEventApi = api('iot', 'devices.pass_event', {
  export: post('pass_event/export', { body: z.strictObject({ ...asked, reason: z.string().trim().max(longest_reason, { error: `超过${longest_reason}个字` }).default('') }), reply: sheet, op: 7, ...may }),
  /** How many rows that would be, up to one more than an export holds. */
  count: get('pass_event/count', { query: z.object(asked), reply: z.object({ count: z.number().int() }), ...may }),
})
