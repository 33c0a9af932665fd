import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Db } from './db.ts'
import type { PlaceRecord } from './place.queries.ts'

/** What a place and everything below it are called until now is kept, before it changes: of two changes at one moment the first counts. */
export async function keepNames(db: Db, { school_id, now }: { school_id: number; now: Date }, { node_path }: Pick<PlaceRecord, 'node_path'>): Promise<void> {
  await sql`
    insert into place_past_name (school_id, place_id, until, node_path_name)
    select school_id, place_id, ${now}::timestamptz, node_path_name from place where school_id = ${school_id} and node_path >= ${node_path} and node_path < left(${node_path}, -1) || '0'
    on conflict do nothing`.execute(db)
}

/** What a place was called, the latest name first, each from when until when. */
export async function readPastNames(db: Db, school_id: number, place_id: string): Promise<{ node_path_name: string; from: Date; until: Date }[]> {
  const { rows } = await sql<{ node_path_name: string; from: Date; until: Date }>`
    select n.node_path_name, n.until, coalesce(lag(n.until) over (order by n.until), p.opened_on::timestamp at time zone 'Asia/Shanghai') as from
    from place_past_name n join place p on p.school_id = n.school_id and p.place_id = n.place_id
    where n.school_id = ${school_id} and n.place_id = ${place_id} order by n.until desc`.execute(db)
  return rows
}

/**
 * The path of names of a place at a moment before its last renaming or move; null: as today. A sub-select over the columns `place` and `at` of the question it
 * stands in: a function that reads tables cannot be called where a cluster keeps the rows.
 */
export function placeThen(school_id: number, place: string, at: string): RawBuilder<string | null> {
  return sql<string | null>`(select n.node_path_name from place_past_name n where n.school_id = ${school_id} and n.place_id = ${sql.ref(place)} and n.until > ${sql.ref(at)} order by n.until limit 1)`
}
