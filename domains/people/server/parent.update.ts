import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { chunks } from './bulk.ts'
import type { Db } from './db.ts'
import type { IdKeys } from './id-number.ts'
import { sealIdNo } from './id-number.ts'

/** An identity number to be written; null = none. The document is a resident card unless another one is named. */
export type NewIdNo = { user_id: string; id_no: string | null; id_type: string | null }
/** What becomes of a known parent: work and education as they will be; an identity number only when it is new. */
export type ParentFill = NewIdNo & { work: string | null; edu: string | null }
/** Who writes, and when. */
export type Writer = { by?: string; at: Date }

const resident_card = '1'

/** Writes what the sheet says of known parents; one parent of several rows is written once, the last row wins. */
export async function fillParents(db: Db, keys: IdKeys, school_id: number, fills: readonly ParentFill[], by: Writer): Promise<void> {
  const each = [...new Map(fills.map(fill => [fill.user_id, fill])).values()]
  for (const part of chunks(each)) {
    await db
      .insertInto('parent')
      .values(part.map(({ user_id, work, edu }) => ({ school_id, user_id, work, edu })))
      .onConflict(on => on.columns(['school_id', 'user_id']).doUpdateSet({ work: sql`excluded.work`, edu: sql`excluded.edu` }))
      .execute()
  }
  await writeIdNumbers({ db, keys, school_id, by }, each, sql`true`)
}

/** Writes identity numbers of people who have none; what is known stays. */
export async function fillIdNumbers(db: Db, keys: IdKeys, school_id: number, fills: readonly NewIdNo[], by: Writer): Promise<void> {
  await writeIdNumbers({ db, keys, school_id, by }, fills, sql`p.id_no_idx is null`)
}

async function writeIdNumbers(desk: { db: Db; keys: IdKeys; school_id: number; by: Writer }, fills: readonly NewIdNo[], only: RawBuilder<unknown>): Promise<void> {
  const { db, keys, school_id, by } = desk
  for (const part of chunks(fills.filter(fill => fill.id_no !== null))) {
    const lines = part.map(({ user_id, id_no, id_type }) => {
      const { id_no_enc, id_no_idx, id_no_mask } = sealIdNo(keys, school_id, id_no ?? '')
      return sql`(${user_id}::bigint, ${id_type ?? resident_card}::text, ${id_no_enc}::bytea, ${id_no_idx}::bytea, ${id_no_mask}::text)`
    })
    await sql`
      update person p set id_type = v.id_type, id_no_enc = v.id_no_enc, id_no_idx = v.id_no_idx, id_no_mask = v.id_no_mask,
        row_version = p.row_version + 1, updated_at = ${by.at}, updated_by = ${by.by ?? null}::bigint
      from (values ${sql.join(lines)}) as v(user_id, id_type, id_no_enc, id_no_idx, id_no_mask)
      where p.school_id = ${school_id} and p.user_id = v.user_id and ${only}`.execute(db)
  }
}
