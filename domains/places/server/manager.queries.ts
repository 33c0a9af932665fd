import type { PlaceManager } from '@campus/places/contract'
import type { Db } from './db.ts'

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
