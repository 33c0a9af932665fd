import { sql } from 'kysely'
import type { Db } from '../db.ts'
import type { Place, Point } from '../judge/types.ts'
import { dayEnd, dayStart } from './group.ts'

type PlaceRow = { place_id: string; place_name: string; place_kind: number; superior_id: string | null; dept_id: string | null }
/** Places of a school: by id with floor and building, the home rooms of classes, and which devices count where. */
export type Places = {
  of: (place_id: string | null) => Place | null; homes: ReadonlyMap<string,
  string>; pointsFor: (place: Place | null, match: number, use: 'lesson' | 'clock') => readonly Point[]; gates: ReadonlySet<string>,
}
type Counting = Point & { place: Place | null; use: string }

const [floor_kind, building_kinds, gate_kind] = [3, [2, 10], 9]
/** Rooms where lessons take place: a device in one of them counts there without a word (chapter 55 §1.1 attend_point). */
export const teaching_kinds: readonly number[] = [4, 5, 6, 14, 15, 16, 17, 19]
/** Face terminal, class board, card clock. */
export const clock_types: readonly string[] = ['01', '03', '05']

/** Reads the places of a school and the devices that count on a date, with until when each has handed over what it saw. */
export async function readPlaces(db: Db, school_id: number, date: string): Promise<Places> {
  const { rows } = await sql<PlaceRow>`select place_id::text as place_id, place_name, place_kind::int as place_kind, superior_id::text as superior_id, dept_id::text as dept_id from place_live_v where school_id = ${school_id}`.execute(db)
  const by_id = new Map(rows.map(row => [row.place_id, row]))
  const made = new Map(rows.map(row => [row.place_id, placeOf(by_id, row)]))
  const of = (place_id: string | null) => (place_id === null ? null : (made.get(place_id) ?? {
    place_id, floor_id: null, building_id: null, name: '已撤销的场所',
  }))
  const points = await readPoints(db, school_id, date, of)
  const known = new Map<string, readonly Point[]>()
  const pointsFor: Places['pointsFor'] = (place, match, use) => {
    const key = `${place?.place_id ?? ''} ${match} ${use}`
    const found = known.get(key) ?? points.filter(point => (point.use === use || point.use === 'both') && near(place, match, point.place))
    known.set(key, found)
    return found
  }
  return {
    of, homes: new Map(rows.flatMap(row => (row.dept_id === null ? [] : [[row.dept_id, row.place_id] as const]))), pointsFor,
    gates: new Set(rows.filter(row => row.place_kind === gate_kind).map(row => row.place_id)),
  }
}

function near(wanted: Place | null, match: number, at: Place | null): boolean {
  if (wanted === null || match === 4) return true
  if (at === null) return false
  if (wanted.place_id === at.place_id) return true
  if (match === 2) return wanted.floor_id !== null && wanted.floor_id === at.floor_id
  return match === 3 && wanted.building_id !== null && wanted.building_id === at.building_id
}

function placeOf(by_id: ReadonlyMap<string, PlaceRow>, row: PlaceRow): Place {
  const above = (wanted: (kind: number) => boolean): string | null => {
    const seen = new Set<string>()
    for (let at: PlaceRow | undefined = row; at && !seen.has(at.place_id); at = at.superior_id === null ? undefined : by_id.get(at.superior_id)) {
      if (wanted(at.place_kind)) return at.place_id
      seen.add(at.place_id)
    }
    return null
  }
  return {
    place_id: row.place_id, name: row.place_name, floor_id: above(kind => kind === floor_kind),
    building_id: above(kind => building_kinds.includes(kind)),
  }
}

type PointRow = { device_id: string; device_name: string; place_id: string; use: string; drained_to: Date | null }
type OutageRow = { device_id: string | null; place_id: string | null; begin_at: Date; end_at: Date | null; basis: string }

async function readPoints(db: Db, school_id: number, date: string, of: Places['of']): Promise<Counting[]> {
  const [begin, end] = [dayStart(date), dayEnd(date)]
  const { rows } = await sql<PointRow>`
    select d.device_id::text as device_id, l.device_name, coalesce(q.place_id, d.place_id)::text as place_id, coalesce(q.use,
      'both') as use, w.drained_to
    from device_place_v d
    join device_live_v l on l.school_id = ${school_id} and l.device_id = d.device_id
    join device_drain_v w on w.school_id = ${school_id} and w.device_id = d.device_id
    left join place_live_v p on p.school_id = ${school_id} and p.place_id = d.place_id
    left join attend_point q on q.school_id = ${school_id} and q.device_id = d.device_id and q.valid_from <= ${date}::date
      and (q.valid_to is null or q.valid_to > ${date}::date)
    where d.school_id = ${school_id} and d.valid_from < ${end} and (d.valid_to is null or d.valid_to > ${begin})
      and (q.device_id is not null or (l.device_type = any(${[...clock_types]}::text[])
        and p.place_kind = any(${[...teaching_kinds]}::int[])))
    order by d.device_id`.execute(db)
  const outages = await readOutages(db, school_id, begin, end)
  return rows.filter(row => row.use !== 'none').map(row => ({
    device_id: row.device_id, name: row.device_name, drained_to: row.drained_to?.getTime() ?? null, use: row.use, place: of(row.place_id),
    outages: outages.filter(one => (one.device_id === row.device_id && !isRepaired(one, row)) || one.place_id === row.place_id)
      .map(one => ({ begin: one.begin_at.getTime(), end: one.end_at?.getTime() ?? Number.MAX_SAFE_INTEGER })),
  }))
}

/** A device that lost its line kept its records: when they have come, the outage proves nothing any more. */
function isRepaired({ basis, end_at }: OutageRow, { drained_to }: PointRow): boolean {
  return basis === 'link' && end_at !== null && drained_to !== null && drained_to >= end_at
}

async function readOutages(db: Db, school_id: number, begin: Date, end: Date): Promise<OutageRow[]> {
  return db.selectFrom('attend_outage').select(['device_id', 'place_id', 'begin_at', 'end_at', 'basis']).where('school_id', '=', school_id)
    .where('begin_at', '<', end)
    .where(eb => eb.or([eb('end_at', 'is', null), eb('end_at', '>', begin)])).orderBy('outage_id').execute()
}
