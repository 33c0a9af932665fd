import { sql } from 'kysely'
import type { Db } from './db.ts'
import { privateZone } from './place.check.ts'
import type { NewPlace } from './place.write.ts'

/** A place with what it stands below. */
export type InsertedPlace = NewPlace & { superior: { place_id: string; depth: number } }
type How = { school_id: number; on: string; batch_no?: string }

const most_rows = 1000

/** Writes many places behind their siblings, in the order they come; each superior is there already. @returns their ids in that order */
export async function insertPlaces(db: Db, { school_id, on, batch_no }: How, places: readonly InsertedPlace[]): Promise<string[]> {
  const superiors = [...new Set(places.map(place => place.superior.place_id))]
  const orders = await lastOrders(db, school_id, superiors)
  const values = places.map(({ superior, area_m2 = null, private_zone = false, ...place }) => {
    const order = (orders.get(superior.place_id) ?? 0) + 1
    orders.set(superior.place_id, order)
    return {
      school_id, superior_id: superior.place_id, order, depth: superior.depth + 1, opened_on: on, node_path: '', node_path_name: '', ...place, ...(batch_no === undefined ? {} : { batch_no }),
      area_m2: area_m2 === null ? null : String(area_m2), private_zone: privateZone(place.place_kind, private_zone),
    }
  })
  const ids: string[] = []
  for (let at = 0; at < values.length; at += most_rows) {
    const made = await db.insertInto('place').values(values.slice(at, at + most_rows)).returning('place_id').execute()
    ids.push(...made.map(row => row.place_id))
  }
  await sql`
    update place p set node_path = s.node_path || p.place_id || '/', node_path_name = s.node_path_name || '/' || p.place_name
    from place s where p.school_id = ${school_id} and s.school_id = ${school_id} and s.place_id = p.superior_id and p.node_path = ''`.execute(db)
  await sql`update place set is_leaf = false where school_id = ${school_id} and is_leaf and place_id = any(${superiors}::bigint[])`.execute(db)
  return ids
}

async function lastOrders(db: Db, school_id: number, superiors: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ superior_id: string; last: number }>`
    select superior_id::text as superior_id, max("order")::int as last from place where school_id = ${school_id} and status = 'open' and superior_id = any(${[...superiors]}::bigint[]) group by 1`.execute(db)
  return new Map(rows.map(row => [row.superior_id, row.last]))
}
