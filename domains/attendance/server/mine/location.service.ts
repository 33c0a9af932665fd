import { most_inaccuracy_m, resultErrors, ruleErrors } from '@campus/attendance/contract'
import type { attendLocationApi, LocationRow } from '@campus/attendance/contract'
import { inPlaces, placeScope } from '@campus/places/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { pageTotal } from '@kit/server/db'
import { sql } from 'kysely'
import type { AttendanceCtx } from '../db.ts'
import { claimHere, requirePlace } from './sign.service.ts'

const [location_source, location_way] = [4, 6] as const
/** Two presses within a minute are one claim. */
const turn_ms = 60_000
const earth_m = 6_371_000
type Point = { lng: number; lat: number }

/** Metres between two points of the earth. */
function metresBetween(a: Point, b: Point): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180
  const [north, east] = [radians(b.lat - a.lat), radians(b.lng - a.lng)]
  const half = Math.sin(north / 2) ** 2 + Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * Math.sin(east / 2) ** 2
  return 2 * earth_m * Math.asin(Math.min(1, Math.sqrt(half)))
}

/** Places of the caller's scope where a phone may sign in. */
export async function listLocations(
  ctx: AttendanceCtx,
  { page_index, page_size }: Input<typeof attendLocationApi.list>,
): Promise<Reply<typeof attendLocationApi.list>> {
  const { db, school_id } = ctx
  const scope = await placeScope(ctx)
  const page = (limit: number, offset: number) => sql<LocationRow & { total: number }>`
    select l.place_id::text as place_id, p.place_name, l.lng, l.lat, l.radius_m::int as radius_m, l.row_version,
      count(*) over ()::int as total
    from attend_location l join place_live_v p on p.school_id = ${school_id} and p.place_id = l.place_id
    where l.school_id = ${school_id} and ${inPlaces('p.node_path', scope)} order by p.place_name, l.place_id
    limit ${limit} offset ${offset}`.execute(db)
  const { rows } = await page(page_size, (page_index - 1) * page_size)
  const total = await pageTotal(rows, page_index, async () => (await page(1, 0)).rows)
  return { list: rows.map(({ total: _total, ...row }) => row), total }
}

/** @throws Refusal 404, 409 stale where somebody else has saved it meanwhile */
export async function saveLocation(
  ctx: AttendanceCtx,
  { row_version, ...asked }: Input<typeof attendLocationApi.save>,
): Promise<Record<string, never>> {
  const { db, school_id, now, me } = ctx
  const place_name = await requirePlace(ctx, asked.place_id)
  const values = { ...asked, row_version: row_version + 1, updated_at: now, updated_by: me.user_id }
  const saved = await db
    .insertInto('attend_location')
    .values({ school_id, ...values })
    .onConflict(clash =>
      clash.columns(['school_id', 'place_id']).doUpdateSet(values).where('attend_location.row_version', '=', row_version),
    )
    .returning('place_id')
    .execute()
  if (saved.length === 0) throw fail(ruleErrors.stale)
  ctx.note({ target_kind: 'attendance.point', target_id: asked.place_id, target_name: place_name, after: { radius_m: asked.radius_m } })
  return {}
}

/** @throws Refusal 404 */
export async function removeLocation(
  ctx: AttendanceCtx,
  { place_id }: Input<typeof attendLocationApi.remove>,
): Promise<Record<string, never>> {
  const { db, school_id } = ctx
  const place_name = await requirePlace(ctx, place_id)
  const { numDeletedRows } = await db
    .deleteFrom('attend_location')
    .where('school_id', '=', school_id)
    .where('place_id', '=', place_id)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) throw fail(commonErrors.notFound)
  ctx.note({ target_kind: 'attendance.point', target_id: place_id, target_name: place_name })
  return {}
}

/**
 * Signs somebody in at the nearest place whose circle he is in (chapter 55 §4). Where he is himself is not kept: the claim names the place.
 * @throws Refusal 422 locationNone, locationVague, locationFar, signPerson
 */
export async function signInHere(
  ctx: AttendanceCtx,
  { accuracy_m, ...here }: Input<typeof attendLocationApi.add>,
): Promise<Reply<typeof attendLocationApi.add>> {
  const { db, school_id, now } = ctx
  ctx.scoped()
  const { rows } = await sql<Point & { place_id: string; place_name: string; radius_m: number }>`
    select l.place_id::text as place_id, p.place_name, l.lng, l.lat, l.radius_m::int as radius_m
    from attend_location l join place_live_v p on p.school_id = ${school_id} and p.place_id = l.place_id
    where l.school_id = ${school_id} order by l.place_id`.execute(db)
  const [nearest] = rows
    .map(row => ({ ...row, distance_m: Math.round(metresBetween(row, here)) }))
    .toSorted((a, b) => a.distance_m - a.radius_m - (b.distance_m - b.radius_m))
  if (!nearest) throw fail(resultErrors.locationNone)
  if (accuracy_m > most_inaccuracy_m) throw fail(resultErrors.locationVague, { params: { n: Math.round(accuracy_m) } })
  const { place_id, place_name, distance_m, radius_m } = nearest
  if (distance_m > radius_m) throw fail(resultErrors.locationFar, { params: { place: place_name, n: distance_m, radius: radius_m } })
  const key = `${place_id}/${Math.floor(now.getTime() / turn_ms)}`
  const claimed = await claimHere(ctx, { source: location_source, way: location_way, place_id, place_name, key })
  return { place_name, distance_m, ...claimed }
}
