import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../db.ts'

/** A place as an import finds it and leaves it; instants are texts to the microsecond. `homes`: whose room it is and will be; `keepers`: who looks after it. */
const Image = z.object({
  place_id: z.string(),
  place_name: z.string(),
  place_kind: z.number(),
  capacity: z.number().nullable(),
  private_zone: z.boolean(),
  status: z.string(),
  node_path: z.string(),
  row_version: z.number(),
  updated_at: z.string(),
  homes: z.array(z.object({ id: z.string(), dept_id: z.string(), valid_from: z.string(), valid_to: z.string().nullable() })),
  keepers: z.number(),
  batch_no: z.string().nullable(),
})
export type PlaceImage = z.output<typeof Image>
export const PlaceBefore = Image

/** Places by id, closed ones too. */
export async function readImages(db: Db, school_id: number, place_ids: readonly string[]): Promise<PlaceImage[]> {
  const { rows } = await sql`
    select p.place_id::text as place_id, p.place_name, p.place_kind, p.capacity, p.private_zone, p.status, p.node_path, p.row_version, p.batch_no, p.updated_at::text as updated_at,
      coalesce((select json_agg(json_build_object('id', h.id::text, 'dept_id', h.dept_id::text, 'valid_from', h.valid_from::text, 'valid_to', h.valid_to::text) order by h.id) from place_dept h
        where h.school_id = ${school_id} and h.place_id = p.place_id), '[]') as homes,
      (select count(*) from place_manager m where m.school_id = ${school_id} and m.place_id = p.place_id)::int as keepers
    from place p where p.school_id = ${school_id} and p.place_id = any(${[...place_ids]}::bigint[])`.execute(db)
  return z.array(Image).parse(rows)
}

/** How an import has left a place: another mark means that it was changed, moved, closed or given to somebody since. */
export function markOf(image: PlaceImage): string {
  return createHash('sha256').update(JSON.stringify(image)).digest('base64url').slice(0, 22)
}
