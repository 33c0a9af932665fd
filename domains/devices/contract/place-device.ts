import { PlaceId } from '@campus/places/contract'
import { api, filter, get, Instant, QueryFlag } from '@kit/contract'
import { z } from 'zod'
import { Device } from './device.ts'

/** A device that stands or stood in a place: since when and until (exclusive, null: still). Its state is that of now. */
export const PlaceDevice = Device.pick({ device_id: true, device_sn: true, device_name: true, device_type: true, model_code: true, lifecycle: true, device_state: true, last_seen_at: true, node_path_name: true })
  .extend({ direction: z.number().int(), place_id: PlaceId, valid_from: Instant, valid_to: Instant.nullable() })
export type PlaceDevice = z.output<typeof PlaceDevice>

/** How many devices stand straight in a place, and how many of them are here now; places without any are left out. */
export const PlaceDeviceCount = z.object({ place_id: PlaceId, total: z.number().int(), online: z.number().int() })
export type PlaceDeviceCount = z.output<typeof PlaceDeviceCount>

const view = { need: 'devices.device.view', within: 'place' } as const

/** What stands in a place (chapter 30 §4), now or at an instant, in it alone or with everything below. */
export const placeDeviceApi = api('core', 'devices.place', {
  counts: get('place/device_counts', { query: z.object({ at: filter(Instant) }), reply: z.object({ list: z.array(PlaceDeviceCount) }), ...view }),
  list: get('place/:id/devices', { params: z.object({ id: PlaceId }), query: z.object({ subtree: filter(QueryFlag), at: filter(Instant) }), reply: z.object({ list: z.array(PlaceDevice) }), ...view }),
})
