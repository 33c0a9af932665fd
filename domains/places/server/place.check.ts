import { bus_kind, campus_kind, placesErrors, private_kinds } from '@campus/places/contract'
import { schoolDay } from '@campus/school/server'
import { fail } from '@kit/contract'
import type { PlacesCtx } from './db.ts'
import type { PlaceRecord } from './place.queries.ts'
import { placeUsePort } from './use-port.ts'
import type { PlaceAsked } from './use-port.ts'

/** Kinds of places where nobody may be filmed are private whatever is asked for. */
export function privateZone(place_kind: number, asked: boolean): boolean {
  return asked || private_kinds.includes(place_kind)
}

/** @throws Refusal 422 for a bus, 409 for a campus below something and something else that stands alone */
export function refuseKind(place_kind: number, superior: Pick<PlaceRecord, 'place_id'> | null): void {
  if (place_kind === bus_kind) throw fail(placesErrors.placeBus)
  if ((place_kind === campus_kind) !== (superior === null)) throw fail(placesErrors.placeRoot)
}

/** @throws Refusal 409 that names what is in the place */
export async function refuseInUse({ app, db, school_id, now }: PlacesCtx, place_id: string, change: PlaceAsked['change']): Promise<void> {
  const asked = { school_id, place_ids: [place_id], today: schoolDay(now), change }
  const found = (await Promise.all(placeUsePort.all(app).map(ask => ask(db, asked)))).flat()
  if (found.length === 0) return
  const list = [...new Set(found.map(use => use.title))].join('、')
  throw fail(change.to === 'close' ? placesErrors.placeInUse : placesErrors.placeKindInUse, { params: { list } })
}
