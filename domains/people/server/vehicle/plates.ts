import { sql } from 'kysely'
import { chunks, insertRows } from '../bulk.ts'
import { oneOf, validOn } from '../dated.ts'
import type { Db } from '../db.ts'

type Where = { school_id: number; on: string; batch_no?: string | null }

/** Plates of these people on a day, by person, in the order of the signs; whoever has none is absent. */
export async function platesOf(db: Db, { school_id, on }: Where, user_ids: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await db
    .selectFrom('person_vehicle as v')
    .select(['v.user_id', 'v.plate_no'])
    .where('v.school_id', '=', school_id)
    .where(oneOf('v.user_id', user_ids))
    .where(validOn('v', on))
    .orderBy('v.plate_no')
    .execute()
  return new Map([...Map.groupBy(rows, row => row.user_id)].map(([user_id, list]) => [user_id, list.map(row => row.plate_no)]))
}

/** Who has each of these plates on the day or later; plates that nobody has are absent. */
export async function plateOwners(db: Db, { school_id, on }: Where, plates: readonly string[]): Promise<Map<string, string>> {
  if (plates.length === 0) return new Map()
  const rows = await db
    .selectFrom('person_vehicle')
    .select(['plate_no', 'user_id'])
    .where('school_id', '=', school_id)
    .where(sql<boolean>`plate_no = any(${[...new Set(plates)]}::text[])`)
    .where(eb => eb.or([eb('valid_to', 'is', null), eb('valid_to', '>', on)]))
    .execute()
  return new Map(rows.map(row => [row.plate_no, row.user_id]))
}

/**
 * Brings everybody's plates to what is wanted from the day on: what is missing begins, what is too much ends; one that began on that very day never
 * was (chapter 20 rule 1). @throws constraint person_vehicle_one_owner for a plate of somebody else
 */
export async function setPlates(db: Db, { school_id, on, batch_no = null }: Where, wanted: ReadonlyMap<string, readonly string[]>): Promise<void> {
  const known = await platesOf(db, { school_id, on }, [...wanted.keys()])
  for (const [user_id, plates] of wanted) {
    const over = (known.get(user_id) ?? []).filter(plate => !plates.includes(plate))
    if (over.length > 0) await endPlates(db, { school_id, on }, user_id, over)
  }
  const fresh = [...wanted].flatMap(([user_id, plates]) => plates.filter(plate => !known.get(user_id)?.includes(plate)).map(plate_no => ({ school_id, user_id, plate_no, valid_from: on, batch_no })))
  for (const part of chunks(fresh)) await insertRows(db, 'person_vehicle', part)
}

async function endPlates(db: Db, { school_id, on }: Where, user_id: string, plates: readonly string[]): Promise<void> {
  const own = sql`school_id = ${school_id} and user_id = ${user_id} and plate_no = any(${[...plates]}::text[])`
  await sql`delete from person_vehicle where ${own} and valid_from = ${on}::date`.execute(db)
  await sql`update person_vehicle set valid_to = ${on}::date where ${own} and valid_from < ${on}::date and (valid_to is null or valid_to > ${on}::date)`.execute(db)
}
