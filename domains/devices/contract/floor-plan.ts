import { PlaceId } from '@campus/places/contract'
import { api, del, get, Instant, post, put } from '@kit/contract'
import { z } from 'zod'
import { DeviceId } from './device-id.ts'

/** Longest side of a floor plan; a larger picture is made smaller. */
export const plan_side_px = 2560
const Part = z.number().min(0).max(1)
/** What lies where on the picture: a device, or a place below; `x`, `y` are parts of its width and height. */
export const FloorPin = z.object({ kind: z.enum(['device', 'place']), id: z.string(), x: Part, y: Part })
export type FloorPin = z.output<typeof FloorPin>
/** The picture of a place with the pins of what stands in it now. */
export const FloorPlan = z.object({ place_id: PlaceId, address: z.string(), width: z.number().int(), height: z.number().int(), drawn_at: Instant, pins: z.array(FloorPin) })
export type FloorPlan = z.output<typeof FloorPlan>

const byId = z.object({ id: PlaceId })
const view = { need: 'devices.device.view', within: 'place' } as const
const edit = { need: 'places.place.edit', within: 'place' } as const
/** Exactly one of the two is pinned. */
const Pinned = z.strictObject({ device_id: DeviceId.optional(), place_id: PlaceId.optional() })
const isOne = ({ device_id, place_id }: z.output<typeof Pinned>) => (device_id === undefined) !== (place_id === undefined)
const one_of_two = { path: ['device_id'], message: '请选择一台设备或一个场所' }

/** 平面图 of a place (chapter 30 §5). `file_key`: an upload of the caller's own for the purpose `resource`. */
export const floorPlanApi = api('core', 'devices.floor_plan', {
  read: get('place/:id/plan', { params: byId, reply: z.object({ plan: FloorPlan.nullable() }), ...view }),
  save: put('place/:id/plan', { params: byId, body: z.strictObject({ file_key: z.string().regex(/^[0-9]+\/[0-9]+\/[0-9]{8}\/[A-Za-z0-9._-]{1,80}$/) }), reply: z.object({ plan: FloorPlan }), ...edit }),
  remove: del('place/:id/plan', { params: byId, reply: z.object({ removed: z.boolean() }), ...edit }),
  pin: post('place/:id/plan/pin', { params: byId, body: Pinned.extend({ x: Part, y: Part }).refine(isOne, one_of_two), reply: z.object({ pin: FloorPin }), op: 4, ...edit }),
  unpin: post('place/:id/plan/unpin', { params: byId, body: Pinned.refine(isOne, one_of_two), reply: z.object({ removed: z.boolean() }), op: 4, ...edit }),
})
