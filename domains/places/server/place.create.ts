import type { QueryExecutorProvider } from 'kysely'
import { asTables } from '@kit/server/db'
import type { PlacesDb } from './db.ts'
import { insertPlaces } from './place.insert.ts'
import type { NewPlace } from './place.write.ts'

/** A place of a plan: `key` names it there, `superior` is an earlier key, null for what stands straight below the first campus. */
export type PlannedPlace = NewPlace & { key: string; superior: string | null }

/** Makes places in bulk, superiors before what is below them, without a word in the journal. @returns the id of every key */
export async function createPlaces(db: QueryExecutorProvider, school_id: number, rows: readonly PlannedPlace[], on: string): Promise<Map<string, string>> {
  const own = asTables<PlacesDb>(db)
  const root = await own.selectFrom('place').select(['place_id', 'depth']).where('school_id', '=', school_id).where('superior_id', 'is', null).orderBy('place_id').limit(1).executeTakeFirstOrThrow()
  const ids = new Map<string, string>()
  const depths = new Map<string, number>()
  for (const row of rows) depths.set(row.key, (row.superior === null ? root.depth : (depths.get(row.superior) ?? root.depth)) + 1)
  const levels = Map.groupBy(rows, row => depths.get(row.key) ?? 0)
  for (const [depth, level] of [...levels].toSorted(([a], [b]) => a - b)) {
    const places = level.map(({ key: _key, superior, ...place }) => ({ ...place, superior: { place_id: superior === null ? root.place_id : (ids.get(superior) ?? root.place_id), depth: depth - 1 } }))
    const made = await insertPlaces(own, { school_id, on }, places)
    level.forEach(({ key }, at) => ids.set(key, made[at] ?? ''))
  }
  return ids
}

/** Gives classes their rooms from a day on, without a word in the journal. */
export async function createHomes(db: QueryExecutorProvider, school_id: number, homes: readonly { place_id: string; dept_id: string }[], on: string): Promise<void> {
  if (homes.length === 0) return
  await asTables<PlacesDb>(db).insertInto('place_dept').values(homes.map(home => ({ school_id, ...home, use_kind: 'home', valid_from: on }))).execute()
}
