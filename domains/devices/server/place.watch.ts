import { isInPlaces, visiblePlaces } from '@campus/places/server'
import { asTables } from '@kit/server/db'
import type { ChannelDesk } from '@kit/server/http'
import type { DevicesDb } from './db.ts'

const number_shape = /^[0-9]{1,18}$/u

/** What happens in a place is watched by whoever may see it. */
export async function mayWatchPlace(desk: ChannelDesk, place_id: string): Promise<boolean> {
  if (!number_shape.test(place_id)) return false
  const scope = await visiblePlaces(desk)
  const place = await asTables<DevicesDb>(desk.db).selectFrom('place_live_v').select('node_path').where('school_id', '=', desk.school_id).where('place_id', '=', place_id).executeTakeFirst()
  return place !== undefined && isInPlaces(place.node_path, scope)
}
