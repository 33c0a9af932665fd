import { accessErrors } from '@campus/access/contract'
import type { DoorPlace } from '@campus/access/contract'
import { commonErrors, fail } from '@kit/contract'
import { sql } from 'kysely'
import type { AccessCtx, Db } from '../db.ts'
import { readSites } from '../decide/read-facts.ts'

const way_names = { 1: '进', 2: '出' } as const
const gate_kind = 9

/** Places with doors of a direction at or below them, with how many are not here. */
export async function listDoorPlaces({ db, school_id }: Pick<AccessCtx, 'db' | 'school_id'>, direction: 1 | 2): Promise<{ list: DoorPlace[] }> {
  const sites = await readSites(db, school_id)
  const places = await db.selectFrom('place_live_v').select(['place_id', 'place_name', 'node_path', 'node_path_name', 'place_kind']).where('school_id', '=', school_id).orderBy('node_path').execute()
  const list = places.flatMap(({ node_path, place_kind, ...place }) => {
    const devices = sites.filter(site => site.node_path.startsWith(node_path)).flatMap(site => site.devices).filter(device => device.direction === direction || device.direction === 3)
    return devices.length === 0 ? [] : [{ ...place, doors: devices.length, offline: devices.filter(device => !device.online).length, is_perimeter: place_kind === gate_kind }]
  })
  return { list }
}

/** @throws Refusal 404 for a place that is not there, 422 noDoor, placeNoDoor */
export async function requireDoors(ctx: AccessCtx, { in_place_ids, out_place_ids }: { in_place_ids: readonly string[]; out_place_ids: readonly string[] }): Promise<void> {
  await requirePlaces(ctx, [...in_place_ids, ...out_place_ids])
  if (in_place_ids.length + out_place_ids.length === 0) throw fail(accessErrors.noDoor)
  for (const [way, ids] of [[1, in_place_ids], [2, out_place_ids]] as const) {
    const known = new Set((await listDoorPlaces(ctx, way)).list.map(place => place.place_id))
    const missing = ids.find(place_id => !known.has(place_id))
    if (missing === undefined) continue
    const place_name = (await placeNames(ctx.db, ctx.school_id, [missing])).get(missing) ?? ''
    throw fail(accessErrors.placeNoDoor, { params: { place_name, way: way_names[way] } })
  }
}

/** @throws Refusal 404 */
export async function requirePlaces({ db, school_id }: AccessCtx, place_ids: readonly string[]): Promise<void> {
  if ((await placeNames(db, school_id, place_ids)).size < new Set(place_ids).size) throw fail(commonErrors.notFound)
}

export async function placeNames(db: Db, school_id: number, place_ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.selectFrom('place_live_v').select(['place_id', 'place_name']).where('school_id', '=', school_id).where(sql<boolean>`place_id = any(${[...place_ids]}::bigint[])`).execute()
  return new Map(rows.map(row => [row.place_id, row.place_name]))
}
