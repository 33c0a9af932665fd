import { PlaceId } from '@campus/places/contract'
import { api, channel, get, Instant } from '@kit/contract'
import { z } from 'zod'
import { DeviceId } from './device-id.ts'

/** Lines that the monitor keeps, and minutes of its little curve (chapter 30 §5). */
export const [reads_shown, minutes_shown] = [60, 30] as const

/** Somebody held a card to a reader, or was at a door: `pass_state` null = a reader that decides nothing. */
export const CardRead = z.object({
  read_id: z.string(),
  at: Instant,
  is_time_sure: z.boolean(),
  device_id: DeviceId,
  device_name: z.string(),
  place_id: PlaceId.nullable(),
  node_path_name: z.string().nullable(),
  /** what that place was called then, when it has another name today */
  then_name: z.string().nullable(),
  direction: z.number().int().nullable(),
  user_id: z.string().nullable(),
  user_name: z.string().nullable(),
  dept_name: z.string().nullable(),
  verify_mode: z.number().int(),
  pass_state: z.number().int().nullable(),
  code_masked: z.string().nullable(),
})
export type CardRead = z.output<typeof CardRead>

const view = { need: 'devices.card.view', within: 'place' } as const

/** What readers and doors have seen in the last day. */
export const cardReadApi = api('iot', 'devices.card', {
  recent: get('device/card_reads', {
    query: z.object({ place_id: PlaceId.optional() }),
    /** `per_minute`: how many in each of the last minutes, the running one last */
    reply: z.object({ list: z.array(CardRead).max(reads_shown), per_minute: z.array(z.number().int()).length(minutes_shown) }),
    ...view,
  }),
})

/** Each reading in a place and in everything above it (chapter 30 rule 28). */
export const cardChannel = channel('card:{place}', CardRead, view)
