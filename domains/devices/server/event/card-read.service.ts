import { cardChannel } from '@campus/devices/contract'
import type { cardReadApi } from '@campus/devices/contract'
import { placeScope } from '@campus/places/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { serveChannel } from '@kit/server/realtime'
import type { DevicesCtx } from '../db.ts'
import { mayWatchPlace } from '../place.watch.ts'
import { countMinutes, placesSeen, readLatest } from './card-read.queries.ts'

/** The latest readings in the places that the reader may see. @throws Refusal 404 for a place that is not his */
export async function readRecent(ctx: DevicesCtx, { place_id }: Input<typeof cardReadApi.recent>): Promise<Reply<typeof cardReadApi.recent>> {
  const { db, school_id, now } = ctx
  const scope = await placeScope(ctx)
  const place_ids = await placesSeen(db, { school_id, scope, place_id })
  if (place_id !== undefined && !place_ids?.includes(place_id)) throw fail(commonErrors.notFound)
  const asked = { school_id, now, place_ids }
  return { list: await readLatest(db, asked), per_minute: await countMinutes(db, asked) }
}

/** A place is watched by whoever may see it. */
export const servedCardChannel = serveChannel(cardChannel, { may: mayWatchPlace })
