import type { PlaceAsked, PlaceUseFound } from '@campus/places/server'
import { asTables } from '@kit/server/db'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import type { TeachingDb } from './db.ts'

/** Lessons that a published timetable holds in places: asked before a place goes (chapter 90, places' use check). */
export async function placesInUse(db: QueryExecutorProvider, { school_id, place_ids }: PlaceAsked): Promise<PlaceUseFound[]> {
  const { rows } = await sql<{ place_id: string; n: number }>`
    select place_id::text as place_id, sum(lessons)::int as n from timetable_use_v where school_id = ${school_id} and place_id = any(${[...place_ids]}::bigint[]) group by place_id`.execute(asTables<TeachingDb>(db))
  return rows.map(({ place_id, n }) => ({ place_id, title: `课表 ${n} 节` }))
}
