import type { PlaceManager } from '@campus/places/contract'
import { asTables } from '@kit/server/db'
import type { QueryExecutorProvider } from 'kysely'
import type { Db, PlacesDb } from './db.ts'

/** Who looks after a place on a day, by number. */
export function readManagers(db: Db, school_id: number, place_id: string, on: string): Promise<PlaceManager[]> {
  return db
    .selectFrom('place_manager as m')
    .innerJoin('live_staff as s', join => join.onRef('s.school_id', '=', 'm.school_id').onRef('s.user_id', '=', 'm.user_id'))
    .select(['m.user_id', 's.user_name', 's.teacher_no as user_no'])
    .where('m.school_id', '=', school_id)
    .where('m.place_id', '=', place_id)
    .where('m.valid_from', '<=', on)
    .where(eb => eb.or([eb('m.valid_to', 'is', null), eb('m.valid_to', '>', on)]))
    .orderBy('s.teacher_no')
    .execute()
}

/** Staff who look after a place on a day, or after what it lies in. For domains above. */
export async function managersAbove(db: QueryExecutorProvider, school_id: number, node_path: string, on: string): Promise<string[]> {
  const ids = node_path.split('/').filter(Boolean)
  if (ids.length === 0) return []
  const rows = await asTables<PlacesDb>(db)
    .selectFrom('place_manager as m')
    .innerJoin('live_staff as s', join => join.onRef('s.school_id', '=', 'm.school_id').onRef('s.user_id', '=', 'm.user_id'))
    .select('m.user_id')
    .distinct()
    .where('m.school_id', '=', school_id)
    .where('m.place_id', 'in', ids)
    .where('m.valid_from', '<=', on)
    .where(eb => eb.or([eb('m.valid_to', 'is', null), eb('m.valid_to', '>', on)]))
    .execute()
  return rows.map(row => row.user_id)
}

/** Who ever looked after a place, with the name of today. */
export function readManagerSpans(db: Db, school_id: number, place_id: string) {
  return db
    .selectFrom('place_manager as m')
    .leftJoin('live_staff as s', join => join.onRef('s.school_id', '=', 'm.school_id').onRef('s.user_id', '=', 'm.user_id'))
    .leftJoin('person_label as l', join => join.onRef('l.school_id', '=', 'm.school_id').onRef('l.user_id', '=', 'm.user_id'))
    .select(eb => [eb.fn.coalesce('s.user_name', 'l.display_name').as('user_name'), 's.teacher_no as user_no', 'm.valid_from', 'm.valid_to'])
    .where('m.school_id', '=', school_id)
    .where('m.place_id', '=', place_id)
    .orderBy('m.id')
    .execute()
}
