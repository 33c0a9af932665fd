import { placesErrors, placesEvents } from '@campus/places/contract'
import type { placeApi } from '@campus/places/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { publish } from '@kit/server/event'
import { sql } from 'kysely'
import type { Db, PlacesCtx } from './db.ts'
import { keepNames } from './past-name.write.ts'
import { lockPlaces, openChildren } from './place.queries.ts'
import type { PlaceRecord } from './place.queries.ts'
import { requireOpen, toldPlace } from './place.service.ts'
import { setLeaf } from './place.write.ts'

const deepest = 8

/**
 * Puts a place with everything below it under another one (chapter 30 rule 21). One change of a tree at a time: of two moves into each other the
 * second finds itself below.
 * @throws Refusal 404, 409 staleRow, placeNameTaken, placeRoot, 422 placeCycle, placeDepth
 */
export async function movePlace(ctx: PlacesCtx, { place_id, superior_id, order, row_version }: Input<typeof placeApi.move>): Promise<Reply<typeof placeApi.move>> {
  const { db, school_id } = ctx
  await lockPlaces(db, school_id)
  const place = await requireOpen(ctx, place_id)
  const superior = await requireOpen(ctx, superior_id)
  if (place.superior_id === null) throw fail(placesErrors.placeRoot)
  if (superior.node_path.startsWith(place.node_path)) throw fail(placesErrors.placeCycle)
  if (place.row_version !== row_version) throw fail(placesErrors.staleRow)
  await refuseDepth(db, school_id, place, superior)
  if (superior.place_id !== place.superior_id) await keepNames(db, ctx, place)
  await replacePaths(db, school_id, place, superior)
  await db.updateTable('place').set({ superior_id, row_version: row_version + 1, updated_at: ctx.now }).where('school_id', '=', school_id).where('place_id', '=', place_id).execute()
  await placeAmong(db, { school_id, superior_id, place_id, order })
  await setLeaf(db, school_id, place.superior_id)
  await setLeaf(db, school_id, superior_id)
  await publish(ctx, placesEvents.placeMoved, { place_ids: [place_id] })
  const moved = await toldPlace(ctx, place_id)
  ctx.note({ target_kind: 'places.place', target_id: place_id, target_name: place.place_name, before: { superior: place.node_path_name }, after: { superior: moved.node_path_name } })
  return { place: moved }
}

async function refuseDepth(db: Db, school_id: number, { node_path, depth }: PlaceRecord, superior: PlaceRecord): Promise<void> {
  const { rows } = await sql<{ most: number }>`
    select max(depth)::int as most from place where school_id = ${school_id} and status = 'open' and node_path >= ${node_path} and node_path < left(${node_path}, -1) || '0'`.execute(db)
  if ((rows[0]?.most ?? depth) - depth + superior.depth + 1 > deepest) throw fail(placesErrors.placeDepth)
}

/** Paths, names of paths and depths of a place and everything below it, closed ones too. */
async function replacePaths(db: Db, school_id: number, place: PlaceRecord, superior: PlaceRecord): Promise<void> {
  const path = `${superior.node_path}${place.place_id}/`
  const name = `${superior.node_path_name}/${place.place_name}`
  await sql`
    update place set
      node_path = ${path} || substr(node_path, ${place.node_path.length + 1}),
      node_path_name = ${name} || substr(node_path_name, ${place.node_path_name.length + 1}),
      depth = depth + ${superior.depth + 1 - place.depth}::int
    where school_id = ${school_id} and node_path >= ${place.node_path} and node_path < left(${place.node_path}, -1) || '0'`.execute(db)
}

/** Moves a place among its siblings, `order` counted from 1, and numbers them all anew. */
export async function orderPlace(ctx: PlacesCtx, { place_id, order }: Input<typeof placeApi.order>): Promise<Reply<typeof placeApi.order>> {
  const { db, school_id } = ctx
  await lockPlaces(db, school_id)
  const place = await requireOpen(ctx, place_id)
  const place_ids = await placeAmong(db, { school_id, superior_id: place.superior_id, place_id, order })
  ctx.note({ target_kind: 'places.place', target_id: place_id, target_name: place.node_path_name, before: { order: place.order }, after: { order: place_ids.indexOf(place_id) + 1 } })
  return { place_ids }
}

type Among = { school_id: number; superior_id: string | null; place_id: string; order: number | undefined }

/** Without an order it comes last. @returns the siblings in their new order @throws Refusal 404 for one that is not among them */
async function placeAmong(db: Db, { school_id, superior_id, place_id, order }: Among): Promise<string[]> {
  const siblings = (await openChildren(db, school_id, superior_id)).map(child => child.place_id)
  if (!siblings.includes(place_id)) throw fail(commonErrors.notFound)
  const others = siblings.filter(id => id !== place_id)
  const placed = others.toSpliced((order ?? siblings.length) - 1, 0, place_id)
  await sql`update place set "order" = array_position(${placed}::bigint[], place_id) where school_id = ${school_id} and place_id = any(${placed}::bigint[])`.execute(db)
  return placed
}
