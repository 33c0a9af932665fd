import type { Place } from '@campus/places/contract'
import { nameHas, nameKeyOf } from '@kit/server/db'
import { sql } from 'kysely'
import type { ExpressionBuilder, Selectable } from 'kysely'
import type { Db, PlacesDb } from './db.ts'
import { inPlaces } from './place.scope.ts'
import type { PlaceScope } from './place.scope.ts'

export type PlaceRecord = Selectable<PlacesDb['place']>
/** Which places: `superior_id` null for the campuses, undefined for all. `on` = the day whose class lives there. */
export type PlaceFilter = {
  school_id: number
  scope: PlaceScope
  on: string
  superior_id?: string | null
  place_kind?: number
  dept_id?: string
  keyword?: string
  status?: 'open' | 'closed'
}

/** The class that lives in a place on a day: a constraint lets there be one. */
const livesThere = (on: string) => (eb: ExpressionBuilder<PlacesDb & { p: PlacesDb['place']; h: PlacesDb['place_dept'] }, 'p' | 'h'>) =>
  eb.and([eb('h.school_id', '=', eb.ref('p.school_id')), eb('h.place_id', '=', eb.ref('p.place_id')), eb('h.use_kind', '=', 'home'), eb('h.valid_from', '<=', on), eb.or([eb('h.valid_to', 'is', null), eb('h.valid_to', '>', on)])])

/** The places of a filter. */
function choosePlaces(db: Db, { school_id, scope, on, superior_id, place_kind, dept_id, keyword, status }: PlaceFilter) {
  return db
    .selectFrom('place as p')
    .where('p.school_id', '=', school_id)
    .where(inPlaces('p.node_path', scope))
    .where('p.opened_on', '<=', on)
    .$if(superior_id === null, query => query.where('p.superior_id', 'is', null))
    .$if(typeof superior_id === 'string', query => query.where('p.superior_id', '=', superior_id ?? ''))
    .$if(place_kind !== undefined, query => query.where('p.place_kind', '=', place_kind ?? 0))
    .$if(dept_id !== undefined, query => query.where(eb => eb.exists(eb.selectFrom('place_dept as h').select('h.dept_id').where(livesThere(on)).where('h.dept_id', '=', dept_id ?? ''))))
    .$if(keyword !== undefined, query => query.where(nameHas(nameKeyOf('p.place_name'), keyword ?? '')))
    .$if(status === 'open', query => query.where(eb => eb.or([eb('p.closed_on', 'is', null), eb('p.closed_on', '>', on)])))
    .$if(status === 'closed', query => query.where('p.closed_on', '<=', on))
}

/** The same with their class of the day, in the order of the tree. */
function selectPlaces(db: Db, filter: PlaceFilter) {
  return choosePlaces(db, filter)
    .leftJoin('place_dept as h', join => join.on(livesThere(filter.on)))
    .leftJoin('dept_now as d', join => join.onRef('d.school_id', '=', 'p.school_id').onRef('d.id', '=', 'h.dept_id'))
}

const columns = [
  'p.place_id', 'p.superior_id', 'p.place_name', 'p.place_kind', 'p.place_type', 'p.building_use', 'p.order', 'p.capacity', 'p.area_m2', 'p.node_path', 'p.node_path_name', 'p.depth',
  'p.is_leaf', 'p.private_zone', 'p.status', 'p.closed_on', 'p.row_version', 'h.dept_id', 'd.dept_name',
] as const

export type PlaceRead = Awaited<ReturnType<typeof readPlaces>>[number]

/** All of them, children behind their parents, siblings in their order. */
export function readPlaces(db: Db, filter: PlaceFilter, most?: { limit: number; offset: number }) {
  return selectPlaces(db, filter)
    .select(columns)
    .orderBy('p.depth')
    .orderBy('p.order')
    .orderBy('p.place_id')
    .$if(most !== undefined, query => query.limit(most?.limit ?? 0).offset(most?.offset ?? 0))
    .execute()
}

/** How many there are; their classes do not matter here. */
export async function countPlaces(db: Db, filter: PlaceFilter): Promise<number> {
  const { count } = await choosePlaces(db, filter).select(sql<number>`count(*)::int`.as('count')).executeTakeFirstOrThrow()
  return count
}

/** One place as it is told, whatever became of it. */
export async function readPlace(db: Db, school_id: number, place_id: string, on: string): Promise<PlaceRead | undefined> {
  return selectPlaces(db, { school_id, scope: 'all', on }).select(columns).where('p.place_id', '=', place_id).executeTakeFirst()
}

/** The way down to these places. */
export function readAncestors(db: Db, school_id: number, paths: readonly string[], on: string) {
  const ids = [...new Set(paths.flatMap(path => path.split('/').filter(Boolean)))]
  return selectPlaces(db, { school_id, scope: 'all', on }).select(columns).where(sql<boolean>`p.place_id = any(${ids}::bigint[])`).orderBy('p.depth').orderBy('p.order').orderBy('p.place_id').execute()
}

/**
 * Locks the tree against every other change of it until the transaction ends: campuses first, in the order of their ids. Two moves of one tree
 * would otherwise write the paths of each other (chapter 30 rule 21).
 */
export async function lockPlaces(db: Db, school_id: number): Promise<void> {
  await db.selectFrom('place').select('place_id').where('school_id', '=', school_id).where('superior_id', 'is', null).orderBy('place_id').forUpdate().execute()
}

/** One row as it lies. */
export function findPlace(db: Db, school_id: number, place_id: string): Promise<PlaceRecord | undefined> {
  return db.selectFrom('place').selectAll().where('school_id', '=', school_id).where('place_id', '=', place_id).executeTakeFirst()
}

/** Open places straight below one, in their order. */
export function openChildren(db: Db, school_id: number, superior_id: string | null) {
  return db
    .selectFrom('place')
    .select(['place_id', 'place_name', 'order', 'place_kind'])
    .where('school_id', '=', school_id)
    .where('status', '=', 'open')
    .where('superior_id', superior_id === null ? 'is' : '=', superior_id)
    .orderBy('order')
    .orderBy('place_id')
    .execute()
}

/** A place as it is told. */
export function placeOf({ node_path: _path, area_m2, ...row }: PlaceRead): Place {
  return { ...row, area_m2: area_m2 === null ? null : Number(area_m2), status: row.status === 'open' ? 'open' : 'closed', dept_id: row.dept_id ?? null, dept_name: row.dept_name ?? null }
}
