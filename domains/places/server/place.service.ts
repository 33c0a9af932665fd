import { placesErrors } from '@campus/places/contract'
import type { Place, placeApi, PlaceDetail } from '@campus/places/contract'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import type { PlacesCtx } from './db.ts'
import { readManagers } from './manager.queries.ts'
import { countPlaces, findPlace, placeOf, readAncestors, readPlace, readPlaces } from './place.queries.ts'
import type { PlaceFilter, PlaceRecord } from './place.queries.ts'
import { placeScope, requireInPlaces } from './place.scope.ts'
import type { PlaceScope } from './place.scope.ts'
import { most_at_once, nestPlaces } from './place.tree.ts'

/** The tree the reader may see with the way down to it: whole, or one level when it is asked for or when the school has more than 500 places. */
export async function readTree(ctx: PlacesCtx, { lazy, superior_id, keyword, at }: Input<typeof placeApi.tree>): Promise<Reply<typeof placeApi.tree>> {
  const { db, school_id } = ctx
  const on = at ?? schoolDay(ctx.now)
  const whole: PlaceFilter = { school_id, scope: await placeScope(ctx), on, status: 'open' }
  const total = await countPlaces(db, whole)
  if (keyword) {
    const found = await readPlaces(db, { ...whole, keyword }, { limit: most_at_once, offset: 0 })
    return { list: nestPlaces(await readAncestors(db, school_id, found.map(row => row.node_path), on)), is_lazy: false, total }
  }
  const is_lazy = lazy ?? total > most_at_once
  if (!is_lazy && superior_id === undefined) {
    const found = await readPlaces(db, whole)
    const roots = found.filter(row => row.superior_id !== null && !found.some(other => other.place_id === row.superior_id))
    const above = await readAncestors(db, school_id, roots.map(row => row.node_path), on)
    const known = new Set(found.map(row => row.place_id))
    return { list: nestPlaces([...above.filter(row => !known.has(row.place_id)), ...found]), is_lazy, total }
  }
  if (superior_id !== undefined) await requireOnTheWay(ctx, whole, superior_id)
  const level = await readLevel(ctx, whole, superior_id ?? null)
  return { list: level.map(placeOf), is_lazy: true, total }
}

/** A place that the reader sees or passes on the way to what he sees. @throws Refusal 404 */
async function requireOnTheWay({ db, school_id }: PlacesCtx, { scope }: PlaceFilter, place_id: string): Promise<void> {
  const place = await findPlace(db, school_id, place_id)
  const is_passed = place !== undefined && scope !== 'all' && scope.some(root => root.startsWith(place.node_path))
  if (!place) throw fail(commonErrors.notFound)
  if (!is_passed) requireInPlaces(place.node_path, scope)
}

/** One level: what lies in the scope, and at the top the ways down to it. */
async function readLevel({ db, school_id }: PlacesCtx, whole: PlaceFilter, superior_id: string | null) {
  const { scope, on } = whole
  if (scope === 'all') return readPlaces(db, { ...whole, superior_id })
  const level = await readAncestors(db, school_id, scope, on)
  const inside = await readPlaces(db, { ...whole, superior_id })
  const ways = level.filter(row => row.superior_id === superior_id && !inside.some(other => other.place_id === row.place_id))
  return [...ways, ...inside]
}

/** A page of the places the reader may see; `superior_id` means everything below. */
export async function listPlaces(ctx: PlacesCtx, { page_index, page_size, ...query }: Input<typeof placeApi.list>): Promise<Reply<typeof placeApi.list>> {
  const asked = await filterOf({ ...ctx, scope: await placeScope(ctx) }, query)
  const rows = await readPlaces(ctx.db, asked, { limit: page_size, offset: (page_index - 1) * page_size })
  return { list: rows.map(placeOf), total: await countPlaces(ctx.db, asked) }
}

type Asked = Input<typeof placeApi.export>

/** What a list of places is asked for, within what the reader may see. @throws Refusal 404 for a place out of sight */
export async function filterOf({ db, school_id, now, scope }: Pick<PlacesCtx, 'db' | 'school_id' | 'now'> & { scope: PlaceScope }, { superior_id, ...filter }: Asked): Promise<PlaceFilter> {
  const below = superior_id === undefined ? undefined : await findPlace(db, school_id, superior_id)
  if (superior_id !== undefined && !below) throw fail(commonErrors.notFound)
  if (below) requireInPlaces(below.node_path, scope)
  return { school_id, on: schoolDay(now), scope: below ? [below.node_path] : scope, status: 'open', ...filter }
}

/** A place with who looks after it. @throws Refusal 404 */
export async function readDetail(ctx: PlacesCtx, place_id: string): Promise<PlaceDetail> {
  await requirePlace(ctx, place_id)
  return detailOf(ctx, place_id)
}

/** The same for a place that was asked for before. */
export async function detailOf({ db, school_id, now }: PlacesCtx, place_id: string): Promise<PlaceDetail> {
  const on = schoolDay(now)
  return { place: await toldPlace({ db, school_id, now }, place_id), managers: await readManagers(db, school_id, place_id, on) }
}

/** A place as it is told after a write. */
export async function toldPlace({ db, school_id, now }: Pick<PlacesCtx, 'db' | 'school_id' | 'now'>, place_id: string): Promise<Place> {
  const row = await readPlace(db, school_id, place_id, schoolDay(now))
  if (!row) throw fail(commonErrors.notFound)
  return placeOf(row)
}

/** A place in the scope of the acting identity. @throws Refusal 404 */
export async function requirePlace(ctx: PlacesCtx, place_id: string): Promise<PlaceRecord> {
  const scope = await placeScope(ctx)
  const place = await findPlace(ctx.db, ctx.school_id, place_id)
  if (!place) throw fail(commonErrors.notFound)
  requireInPlaces(place.node_path, scope)
  return place
}

/** One that stands. @throws Refusal 404, 409 placeClosed */
export async function requireOpen(ctx: PlacesCtx, place_id: string): Promise<PlaceRecord> {
  const place = await requirePlace(ctx, place_id)
  if (place.status !== 'open') throw fail(placesErrors.placeClosed)
  return place
}
