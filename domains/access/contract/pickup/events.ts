import { UserId } from '@campus/people/contract'
import { PlaceId } from '@campus/places/contract'
import { event } from '@kit/contract'
import { z } from 'zod'

const Child = z.object({ student_id: UserId, place_id: PlaceId })

export const pickupEvents = {
  /** an adult has come for the child, or somebody has let it go */
  pickupMatched: event('access.pickup.matched', Child),
  pickupReleased: event('access.pickup.released', Child),
  pickupTimeout: event('access.pickup.timeout', Child),
}
