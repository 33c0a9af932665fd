import type { Insertable } from 'kysely'
import { sql } from 'kysely'
import { chunks, insertRows } from './bulk.ts'
import { oneOf } from './dated.ts'
import type { Db } from './db.ts'
import type { PeopleTables } from './tables.gen.ts'

/** A link as it stands, and what it becomes. */
export type LinkState = {
  id: string
  student_user_id: string
  parent_user_id: string
  relation: string
  is_first: boolean
  is_guardian: boolean
  can_pickup: boolean
  order_no: number
  valid_from: string
}

/**
 * Changes links from the day `on`: a link that began earlier is closed and goes on in a new row, one that begins on that very day
 * is replaced (chapter 20 rule 1). First contacts that step back are written before those that step forward.
 */
export async function changeLinks(db: Db, school_id: number, changed: readonly LinkState[], on: string, batch_no: string | null): Promise<void> {
  const in_order = changed.toSorted((a, b) => Number(a.is_first) - Number(b.is_first))
  const earlier = in_order.filter(link => link.valid_from < on)
  for (const part of chunks(earlier)) {
    await db.updateTable('guardian_link').set({ valid_to: on }).where('school_id', '=', school_id).where(oneOf('id', part.map(link => link.id))).execute()
  }
  await replaceLinks(db, school_id, in_order.filter(link => link.valid_from >= on))
  await insertRows(db, 'guardian_link', earlier.map(link => ({ ...factsOf(link), school_id, valid_from: on, batch_no })))
}

function factsOf({ student_user_id, parent_user_id, relation, is_first, is_guardian, can_pickup, order_no }: LinkState) {
  return { student_user_id, parent_user_id, relation, is_first, is_guardian, can_pickup, order_no }
}

async function replaceLinks(db: Db, school_id: number, links: readonly LinkState[]): Promise<void> {
  for (const part of chunks(links)) {
    const rows: Insertable<PeopleTables['guardian_link']>[] = part.map(link => ({ ...link, school_id }))
    await db
      .insertInto('guardian_link')
      .values(rows)
      .onConflict(to =>
        to.columns(['school_id', 'id']).doUpdateSet({
          relation: sql`excluded.relation`,
          is_first: sql`excluded.is_first`,
          is_guardian: sql`excluded.is_guardian`,
          can_pickup: sql`excluded.can_pickup`,
          order_no: sql`excluded.order_no`,
        }),
      )
      .execute()
  }
}

/** Ends links with the day `on`; one that began on that very day never was (chapter 20 rule 1). */
export async function endLinks(db: Db, school_id: number, links: readonly LinkState[], on: string): Promise<void> {
  for (const part of chunks(links)) {
    const earlier = part.filter(link => link.valid_from < on).map(link => link.id)
    const fresh = part.filter(link => link.valid_from >= on).map(link => link.id)
    await db.updateTable('guardian_link').set({ valid_to: on }).where('school_id', '=', school_id).where(oneOf('id', earlier)).execute()
    await db.deleteFrom('guardian_link').where('school_id', '=', school_id).where(oneOf('id', fresh)).execute()
  }
}
