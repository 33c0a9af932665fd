import { FloorPin } from '@campus/devices/contract'
import { inPlaces } from '@campus/places/server'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../db.ts'

export function findPlan(db: Db, school_id: number, place_id: string) {
  return db.selectFrom('floor_plan').selectAll().where('school_id', '=', school_id).where('place_id', '=', place_id).executeTakeFirst()
}

/** Pins of what is in the place now: living devices that stand in or below it, open places below it. */
export async function readPins(db: Db, school_id: number, { place_id, node_path }: { place_id: string; node_path: string }): Promise<FloorPin[]> {
  const { rows } = await sql`
    select 'device' as kind, f.device_id::text as id, f.x::float8 as x, f.y::float8 as y from floor_pin f
      join device_live_v d on d.school_id = f.school_id and d.device_id = f.device_id join place_live_v p on p.school_id = d.school_id and p.place_id = d.place_id
      where f.school_id = ${school_id} and f.place_id = ${place_id} and ${inPlaces('p.node_path', [node_path])}
    union all select 'place', f.pinned_place_id::text, f.x::float8, f.y::float8 from floor_pin f
      join place_live_v p on p.school_id = f.school_id and p.place_id = f.pinned_place_id
      where f.school_id = ${school_id} and f.place_id = ${place_id} and p.place_id <> ${place_id} and ${inPlaces('p.node_path', [node_path])}
    order by kind, id`.execute(db)
  return z.array(FloorPin).parse(rows)
}

/** Where a device or a place lies in the tree now, with its name; undefined when it is gone. */
export async function whereabouts(db: Db, school_id: number, { device_id, place_id }: { device_id?: string | undefined; place_id?: string | undefined }): Promise<{ name: string; node_path: string } | undefined> {
  const { rows: [found] } = device_id === undefined
    ? await sql<{ name: string; node_path: string }>`select place_name as name, node_path from place_live_v where school_id = ${school_id} and place_id = ${place_id ?? null}`.execute(db)
    : await sql<{ name: string; node_path: string }>`
      select d.device_name as name, coalesce(p.node_path, '') as node_path from device_live_v d left join place_live_v p on p.school_id = d.school_id and p.place_id = d.place_id
      where d.school_id = ${school_id} and d.device_id = ${device_id}`.execute(db)
  return found
}
