import { Day, event } from '@kit/contract'
import { z } from 'zod'
import { PlaceId } from './place-id.ts'

const place_ids = z.array(PlaceId).min(1)

/** What the places domain tells the others (chapter 30 §7, 90 §3). */
export const placesEvents = {
  /** these places and everything below them stand elsewhere or have another name or kind */
  placeMoved: event('place.moved', z.object({ place_ids })),
  placeClosed: event('place.closed', z.object({ place_ids, on: Day })),
  /** nothing of them is left */
  placeDeleted: event('place.deleted', z.object({ place_ids })),
}
