import type { Database } from '@kit/server/db'
import { sql } from 'kysely'

/** Every school of the installation, from the two installation tables that name schools. */
export async function knownSchools(database: Database): Promise<number[]> {
  const { rows } = await database.tenant<unknown, { rows: { school_id: number }[] }>(0, db =>
    sql<{ school_id: number }>`select school_id from account_school union select school_id from work order by 1`.execute(db),
  )
  return rows.map(row => row.school_id).filter(school_id => school_id !== 0)
}
