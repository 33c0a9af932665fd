import { bus_kind, campus_kind, placesErrors, private_kinds } from '@campus/places/contract'
import type { PlaceClosing } from '@campus/places/contract'
import { schoolDay } from '@campus/school/server'
import { fail } from '@kit/contract'
import type { PlacesCtx } from './db.ts'
import { homesFrom, readUses } from './home.queries.ts'
import type { PlaceRecord } from './place.queries.ts'
import { placeUsePort } from './use-port.ts'
import type { PlaceAsked, PlaceUseFound } from './use-port.ts'

/** Kinds of places where nobody may be filmed are private whatever is asked for. */
export function privateZone(place_kind: number, asked: boolean): boolean {
  return asked || private_kinds.includes(place_kind)
}

/** @throws Refusal 422 for a bus, 409 for a campus below something and something else that stands alone */
export function refuseKind(place_kind: number, superior: Pick<PlaceRecord, 'place_id'> | null): void {
  if (place_kind === bus_kind) throw fail(placesErrors.placeBus)
  if ((place_kind === campus_kind) !== (superior === null)) throw fail(placesErrors.placeRoot)
}

type Held = PlaceClosing['held'][number]

/** What is in a place and keeps it from being closed: the class that lives there or will, and what other domains keep there (chapter 30 rule 21). */
export async function heldIn(ctx: PlacesCtx, place_id: string): Promise<Held[]> {
  return [...(await homesIn(ctx, place_id)), ...(await usesIn(ctx, place_id, { to: 'close' })).map(use => ({ kind: 'other' as const, ...use }))]
}

async function homesIn({ db, school_id, now }: PlacesCtx, place_id: string): Promise<Held[]> {
  const today = schoolDay(now)
  const homes = await homesFrom(db, school_id, { column: 'place_id', ids: [place_id] }, today)
  if (homes.length === 0) return []
  const names = new Map((await readUses(db, school_id, place_id)).map(use => [use.dept_id, use.dept_name]))
  return homes.map(({ dept_id, valid_from }) => ({ kind: 'home', title: `${names.get(dept_id) ?? ''}的教室${valid_from > today ? `（${valid_from}起）` : ''}` }))
}

async function usesIn({ app, db, school_id, now }: PlacesCtx, place_id: string, change: PlaceAsked['change']): Promise<Pick<PlaceUseFound, 'title' | 'way'>[]> {
  const asked = { school_id, place_ids: [place_id], today: schoolDay(now), change }
  const found = (await Promise.all(placeUsePort.all(app).map(ask => ask(db, asked)))).flat()
  return [...new Map(found.map(({ title, way }) => [title, { title, ...(way === undefined ? {} : { way }) }])).values()]
}

/** @throws Refusal 409 that names what is in the place */
export async function refuseHeld(ctx: PlacesCtx, place_id: string): Promise<void> {
  const held = await heldIn(ctx, place_id)
  if (held.length > 0) throw fail(placesErrors.placeInUse, { params: { list: held.map(one => one.title).join('、') } })
}

/** @throws Refusal 409 that names what may not be in a place of that kind */
export async function refuseKindInUse(ctx: PlacesCtx, place_id: string, change: PlaceAsked['change']): Promise<void> {
  const list = (await usesIn(ctx, place_id, change)).map(use => use.title).join('、')
  if (list !== '') throw fail(placesErrors.placeKindInUse, { params: { list } })
}
