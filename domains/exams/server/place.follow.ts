import type { PlaceAsked, PlaceUseFound } from '@campus/places/server'
import { asTables } from '@kit/server/db'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import type { ExamsDb } from './db.ts'

/** Exams that have rooms in places: asked before a place goes (chapter 90, places' use check). */
export async function placesInUse(db: QueryExecutorProvider, { school_id, place_ids }: PlaceAsked): Promise<PlaceUseFound[]> {
  const { rows } = await sql<{ place_id: string; exam_name: string }>`
    select distinct r.place_id::text as place_id, e.exam_name from exam_room r join exam e on e.school_id = ${school_id} and e.exam_id = r.exam_id and e.state in (0, 1, 2)
    where r.school_id = ${school_id} and r.place_id = any(${[...place_ids]}::bigint[])`.execute(asTables<ExamsDb>(db))
  return rows.map(({ place_id, exam_name }) => ({ place_id, title: `考试“${exam_name}”的考场` }))
}
