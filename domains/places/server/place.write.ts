import { placesErrors, placesEvents } from '@campus/places/contract'
import type { Place, placeApi, PlaceClosing } from '@campus/places/contract'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { publish } from '@kit/server/event'
import { sql } from 'kysely'
import type { Db, PlacesCtx } from './db.ts'
import { readManagers } from './manager.queries.ts'
import { endManagers } from './manager.service.ts'
import { keepNames } from './past-name.write.ts'
import { heldIn, privateZone, refuseHeld, refuseKind, refuseKindInUse } from './place.check.ts'
import { lockPlaces, openChildren } from './place.queries.ts'
import type { PlaceRecord } from './place.queries.ts'
import { placeScope } from './place.scope.ts'
import { requireOpen, requirePlace, toldPlace } from './place.service.ts'

const deepest = 8

/** A place below another, or a campus. @throws Refusal 404, 409 placeNameTaken, 422 placeDepth */
export async function createPlace(ctx: PlacesCtx, draft: Input<typeof placeApi.create>): Promise<Reply<typeof placeApi.create>> {
  const { db, school_id } = ctx
  const superior = draft.superior_id === null ? null : await requireOpen(ctx, draft.superior_id)
  // A campus is everybody's: whoever sees single places makes none.
  if (superior === null && (await placeScope(ctx)) !== 'all') throw fail(commonErrors.notFound)
  refuseKind(draft.place_kind, superior)
  await lockPlaces(db, school_id)
  const place_id = await addPlace(db, { school_id, superior, today: schoolDay(ctx.now) }, draft)
  const place = await toldPlace(ctx, place_id)
  ctx.note({ target_kind: 'places.place', target_id: place_id, target_name: place.node_path_name, after: draft })
  return { place }
}

type Below = { school_id: number; superior: Pick<PlaceRecord, 'place_id' | 'node_path' | 'node_path_name' | 'depth'> | null; today: string }
/** What a place is made of; what is left out is the table's own. */
export type NewPlace = { place_name: string; place_kind: number; place_type?: number | null; building_use?: number | null; capacity?: number | null; area_m2?: number | null; private_zone?: boolean }

/** Writes a place behind its siblings. @returns its id @throws Refusal 422 placeDepth */
export async function addPlace(db: Db, { school_id, superior, today }: Below, { area_m2 = null, private_zone = false, place_name, place_kind, ...more }: NewPlace): Promise<string> {
  const depth = (superior?.depth ?? 0) + 1
  if (depth > deepest) throw fail(placesErrors.placeDepth)
  const superior_id = superior?.place_id ?? null
  const order = Math.max(0, ...(await openChildren(db, school_id, superior_id)).map(child => child.order)) + 1
  const { place_id } = await db
    .insertInto('place')
    .values({
      school_id, superior_id, place_name, place_kind, depth, order, opened_on: today, ...more,
      area_m2: area_m2 === null ? null : String(area_m2),
      private_zone: privateZone(place_kind, private_zone),
      node_path: '', node_path_name: superior ? `${superior.node_path_name}/${place_name}` : place_name,
    })
    .returning('place_id')
    .executeTakeFirstOrThrow()
  await db.updateTable('place').set({ node_path: `${superior?.node_path ?? '/'}${place_id}/` }).where('school_id', '=', school_id).where('place_id', '=', place_id).execute()
  if (superior) await db.updateTable('place').set({ is_leaf: false }).where('school_id', '=', school_id).where('place_id', '=', superior.place_id).where('is_leaf', '=', true).execute()
  return place_id
}

/** Changes what a place is. A new name goes into the paths below. @throws Refusal 404, 409 staleRow, placeNameTaken, placeKindInUse */
export async function updatePlace(ctx: PlacesCtx, { id, row_version, ...patch }: Input<typeof placeApi.update>): Promise<Reply<typeof placeApi.update>> {
  const { db, school_id } = ctx
  await lockPlaces(db, school_id)
  const place = await requireOpen(ctx, id)
  if (place.row_version !== row_version) throw fail(placesErrors.staleRow)
  const place_kind = patch.place_kind ?? place.place_kind
  const private_zone = privateZone(place_kind, patch.private_zone ?? place.private_zone)
  if (place_kind !== place.place_kind) refuseKind(place_kind, place.superior_id === null ? null : { place_id: place.superior_id })
  if (place_kind !== place.place_kind || private_zone !== place.private_zone) await refuseKindInUse(ctx, id, { to: 'kind', place_kind, private_zone })
  const { area_m2, ...plain } = patch
  await db
    .updateTable('place')
    .set({ ...plain, ...(area_m2 === undefined ? {} : { area_m2: area_m2 === null ? null : String(area_m2) }), private_zone, row_version: row_version + 1, updated_at: ctx.now })
    .where('school_id', '=', school_id)
    .where('place_id', '=', id)
    .execute()
  if (patch.place_name !== undefined && patch.place_name !== place.place_name) await renamePaths(ctx, place, patch.place_name)
  await publish(ctx, placesEvents.placeMoved, { place_ids: [id] })
  return saved(ctx, place, patch)
}

async function saved(ctx: PlacesCtx, place: PlaceRecord, patch: Record<string, unknown>): Promise<{ place: Place }> {
  const before = Object.fromEntries(Object.entries(place).filter(([name]) => name in patch))
  ctx.note({ target_kind: 'places.place', target_id: place.place_id, target_name: place.node_path_name, before, after: patch })
  return { place: await toldPlace(ctx, place.place_id) }
}

async function renamePaths(ctx: PlacesCtx, place: PlaceRecord, place_name: string): Promise<void> {
  const { db, school_id } = ctx
  const { node_path, node_path_name } = place
  await keepNames(db, ctx, place)
  const above = node_path_name.split('/').slice(0, -1)
  const renamed = [...above, place_name].join('/')
  await sql`
    update place set node_path_name = ${renamed} || substr(node_path_name, ${node_path_name.length + 1})
    where school_id = ${school_id} and node_path >= ${node_path} and node_path < left(${node_path}, -1) || '0'`.execute(db)
}

/**
 * Closes a place today: it leaves every choice and stays named in what happened there.
 * @throws Refusal 404, 409 staleRow, placeHasChildren, placeLastCampus, placeInUse with everything that is in it
 */
export async function closePlace(ctx: PlacesCtx, { id, row_version }: Input<typeof placeApi.remove>): Promise<Reply<typeof placeApi.remove>> {
  const { db, school_id, now } = ctx
  await lockPlaces(db, school_id)
  const place = await requireOpen(ctx, id)
  if (place.row_version !== row_version) throw fail(placesErrors.staleRow)
  if ((await openChildren(db, school_id, id)).length > 0) throw fail(placesErrors.placeHasChildren)
  await refuseLastCampus(ctx, place)
  await refuseHeld(ctx, id)
  const on = schoolDay(now)
  await db.updateTable('place').set({ status: 'closed', closed_on: on, row_version: row_version + 1, updated_at: now }).where('school_id', '=', school_id).where('place_id', '=', id).execute()
  await endManagers(ctx, id, on)
  await setLeaf(db, school_id, place.superior_id)
  await publish(ctx, placesEvents.placeClosed, { place_ids: [id], on })
  ctx.note({ target_kind: 'places.place', target_id: id, target_name: place.node_path_name, before: { status: 'open' }, after: { status: 'closed', closed_on: on } })
  return { place: await toldPlace(ctx, id) }
}

/** What closing a place would meet: what is in it, and who would look after it no more. @throws Refusal 404, 409 placeClosed, placeLastCampus */
export async function previewClosing(ctx: PlacesCtx, place_id: string): Promise<PlaceClosing> {
  const { db, school_id, now } = ctx
  const place = await requireOpen(ctx, place_id)
  await refuseLastCampus(ctx, place)
  const below = await openChildren(db, school_id, place_id)
  const held = await heldIn(ctx, place_id)
  return { held: [...(below.length > 0 ? [{ kind: 'below' as const, title: `下级场所${below.length}个` }] : []), ...held], managers: await readManagers(db, school_id, place_id, schoolDay(now)) }
}

async function refuseLastCampus({ db, school_id }: PlacesCtx, { superior_id }: PlaceRecord): Promise<void> {
  if (superior_id === null && (await openChildren(db, school_id, null)).length === 1) throw fail(placesErrors.placeLastCampus)
}

/** Opens a closed place again where it stood. @throws Refusal 404, 409 staleRow, placeNameTaken, placeClosed when what is above is closed */
export async function reopenPlace(ctx: PlacesCtx, { place_id, row_version }: Input<typeof placeApi.reopen>): Promise<Reply<typeof placeApi.reopen>> {
  const { db, school_id, now } = ctx
  await lockPlaces(db, school_id)
  const place = await requirePlace(ctx, place_id)
  if (place.row_version !== row_version || place.status === 'open') throw fail(placesErrors.staleRow)
  if (place.superior_id !== null) await requireOpen(ctx, place.superior_id)
  await db.updateTable('place').set({ status: 'open', closed_on: null, row_version: row_version + 1, updated_at: now }).where('school_id', '=', school_id).where('place_id', '=', place_id).execute()
  await setLeaf(db, school_id, place.superior_id)
  ctx.note({ target_kind: 'places.place', target_id: place_id, target_name: place.node_path_name, before: { status: 'closed' }, after: { status: 'open' } })
  return { place: await toldPlace(ctx, place_id) }
}

/** A place without open places below is a leaf. */
export async function setLeaf(db: Db, school_id: number, place_id: string | null): Promise<void> {
  if (place_id === null) return
  const is_leaf = (await openChildren(db, school_id, place_id)).length === 0
  await db.updateTable('place').set({ is_leaf }).where('school_id', '=', school_id).where('place_id', '=', place_id).execute()
}
