import { asTables } from '@kit/server/db'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import type { PeopleDb } from './db.ts'
import { indexIdNo } from './id-number.ts'
import type { IdKeys } from './id-number.ts'

/**
 * The living person with an identity number, without opening anybody's number: for cards that carry it (chapter 40 rule 18).
 * @returns his user id, null for nobody
 */
export async function findByIdentity(db: QueryExecutorProvider, keys: IdKeys, school_id: number, id_no: string): Promise<string | null> {
  const found = await asTables<PeopleDb>(db)
    .selectFrom('person')
    .select('user_id')
    .where('school_id', '=', school_id)
    .where('status', '=', 'live')
    .where(sql<boolean>`id_no_idx = ${indexIdNo(keys, id_no)}`)
    .executeTakeFirst()
  return found?.user_id ?? null
}
