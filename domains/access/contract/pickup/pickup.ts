import { UserId } from '@campus/people/contract'
import { PlaceId } from '@campus/places/contract'
import { api, Day, failures, filter, get, id, Instant, post } from '@kit/contract'
import { z } from 'zod'
import { PickupId } from './person.ts'

export const pickup_states = { 1: '待离校', 2: '已离校', 3: '超时', 4: '人工放行', 5: '已取消' } as const

/** User-facing failures of picking up (chapter 35 R55). */
export const pickupErrors = failures('access', { pickupOpen: [409, '该学生已放行，正在等待离校'] })

/** A child with who came for it. */
export const PickupRow = z.object({
  event_id: id('access.pickup'),
  student_id: UserId,
  student_name: z.string(),
  dept_name: z.string().nullable(),
  parent_name: z.string().nullable(),
  place_name: z.string(),
  matched_at: Instant,
  release_until: Instant,
  state: z.literal([1, 2, 3, 4, 5]),
  by_name: z.string().nullable(),
})
export type PickupRow = z.output<typeof PickupRow>

/** 今日接送: a guardian's pass lets the child out for some minutes (chapter 35 R55). */
export const pickupApi = api('iot', 'access.pickup', {
  list: get('pickup/event/list', {
    query: z.object({ day: filter(Day) }),
    reply: z.object({ list: z.array(PickupRow) }),
    need: 'access.pickup.view',
    within: 'dept',
  }),
  release: post('pickup/release', {
    body: z.strictObject({
      student_id: UserId,
      place_id: PlaceId,
      pickup_id: PickupId.nullable().default(null),
      reason: z.string({ error: '请填写原因' }).trim().min(2, { error: '原因为2到100个字' }).max(100, { error: '原因为2到100个字' }),
    }),
    reply: z.object({ event_id: id('access.pickup'), release_until: Instant }),
    op: 4,
    need: 'access.pickup.release',
    within: 'dept',
  }),
})
