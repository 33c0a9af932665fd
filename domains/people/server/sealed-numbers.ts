import { asTables } from '@kit/server/db'
import type { QueryExecutorProvider } from 'kysely'
import { indexIdNo, openIdNo } from './id-number.ts'
import type { IdKeys } from './id-number.ts'
import type { Db, PeopleDb } from './db.ts'

const page_rows = 500

/** Sealed identity numbers of a school: how many there are, are found by their index, cannot be opened with this key. */
export type SealedCount = { numbers: number; misplaced: number; closed: number }

/**
 * Opens every sealed identity number of a school and compares its index. With `repair` an index made by another key is made anew, and a
 * number that no key opens any more is emptied with its document, so that it can be entered again.
 */
export async function checkSealedNumbers(handle: QueryExecutorProvider, keys: IdKeys, school_id: number, repair: boolean): Promise<SealedCount> {
  const db = asTables<PeopleDb>(handle)
  const count: SealedCount = { numbers: 0, misplaced: 0, closed: 0 }
  for (let after = '0'; ; ) {
    const rows = await sealedAfter(db, school_id, after)
    for (const { user_id, id_no_enc, id_no_idx } of rows) {
      if (!id_no_enc || !id_no_idx) continue
      count.numbers += 1
      const id_no = opened(keys, school_id, id_no_enc)
      const index = id_no === null ? null : indexIdNo(keys, id_no)
      if (index === null) count.closed += 1
      else if (index.equals(id_no_idx)) continue
      else count.misplaced += 1
      if (repair) await mend(db, school_id, user_id, index)
    }
    const last = rows.at(-1)
    if (!last || rows.length < page_rows) return count
    after = last.user_id
  }
}

function sealedAfter(db: Db, school_id: number, after: string) {
  return db
    .selectFrom('person')
    .select(['user_id', 'id_no_enc', 'id_no_idx'])
    .where('school_id', '=', school_id)
    .where('user_id', '>', after)
    .where('id_no_enc', 'is not', null)
    .orderBy('user_id')
    .limit(page_rows)
    .execute()
}

/** Null when the number was sealed with another key. */
function opened(keys: IdKeys, school_id: number, sealed: Buffer): string | null {
  try {
    return openIdNo(keys, school_id, sealed)
  } catch {
    return null
  }
}

async function mend(db: Db, school_id: number, user_id: string, id_no_idx: Buffer | null): Promise<void> {
  const mended = id_no_idx ? { id_no_idx } : { id_type: null, id_no_enc: null, id_no_idx: null, id_no_mask: null }
  await db.updateTable('person').set(mended).where('school_id', '=', school_id).where('user_id', '=', user_id).execute()
}
