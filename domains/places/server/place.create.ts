import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import { asTables } from '@kit/server/db'
import type { Db, PlacesDb } from './db.ts'
import { privateZone } from './place.check.ts'
import type { NewPlace } from './place.write.ts'

/** A place of a plan: `key` names it there, `superior` is an earlier key, null for what stands straight below the first campus. */
export type PlannedPlace = NewPlace & { key: string; superior: string | null }

const most_rows = 1000

/** Makes places in bulk, superiors before what is below them, without a word in the journal. @returns the id of every key */
export async function createPlaces(db: QueryExecutorProvider, school_id: number, rows: readonly PlannedPlace[], on: string): Promise<Map<string, string>> {
  const own = asTables<PlacesDb>(db)
  const root = await own.selectFrom('place').select(['place_id', 'depth']).where('school_id', '=', school_id).where('superior_id', 'is', null).orderBy('place_id').limit(1).executeTakeFirstOrThrow()
  const ids = new Map<string, string>()
  const depths = new Map<string, number>()
  for (const row of rows) depths.set(row.key, (row.superior === null ? root.depth : (depths.get(row.superior) ?? root.depth)) + 1)
  const levels = Map.groupBy(rows, row => depths.get(row.key) ?? 0)
  for (const [depth, level] of [...levels].toSorted(([a], [b]) => a - b)) await insertLevel(own, { school_id, depth, on, root: root.place_id }, level, ids)
  return ids
}

type Level = { school_id: number; depth: number; on: string; root: string }

async function insertLevel(db: Db, { school_id, depth, on, root }: Level, level: readonly PlannedPlace[], ids: Map<string, string>): Promise<void> {
  const orders = new Map<string | null, number>()
  const values = level.map(({ key: _key, superior, area_m2 = null, private_zone = false, ...place }) => {
    const order = (orders.get(superior) ?? 0) + 1
    orders.set(superior, order)
    const superior_id = superior === null ? root : (ids.get(superior) ?? root)
    return { school_id, superior_id, order, depth, opened_on: on, node_path: '', node_path_name: '', area_m2: area_m2 === null ? null : String(area_m2), private_zone: privateZone(place.place_kind, private_zone), ...place }
  })
  for (let at = 0; at < values.length; at += most_rows) {
    const made = await db.insertInto('place').values(values.slice(at, at + most_rows)).returning('place_id').execute()
    made.forEach(({ place_id }, n) => ids.set(level[at + n]?.key ?? '', place_id))
  }
  await sql`
    update place p set node_path = s.node_path || p.place_id || '/', node_path_name = s.node_path_name || '/' || p.place_name
    from place s where p.school_id = ${school_id} and s.school_id = ${school_id} and s.place_id = p.superior_id and p.node_path = ''`.execute(db)
  await sql`
    update place set is_leaf = false where school_id = ${school_id} and is_leaf and place_id in (select superior_id from place where school_id = ${school_id} and depth = ${depth})`.execute(db)
}

/** Gives classes their rooms from a day on, without a word in the journal. */
export async function createHomes(db: QueryExecutorProvider, school_id: number, homes: readonly { place_id: string; dept_id: string }[], on: string): Promise<void> {
  if (homes.length === 0) return
  await asTables<PlacesDb>(db).insertInto('place_dept').values(homes.map(home => ({ school_id, ...home, use_kind: 'home', valid_from: on }))).execute()
}
