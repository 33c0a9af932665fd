import { sql } from 'kysely'
import type { Db } from '../db.ts'
import type { MovedRow, RekeyPair } from './rekey-port.ts'

const table = 'parent'

/** What is known of somebody as a parent: one of the staff who takes a parent's children over becomes a parent too. */
export const facet = {
  table,
  async give(db: Db, { school_id, keep_user_id, drop_user_id }: RekeyPair): Promise<MovedRow[]> {
    const { rows: given } = await sql`
      insert into parent (school_id, user_id, work, edu)
      select school_id, ${keep_user_id}::bigint, work, edu from parent where school_id = ${school_id} and user_id = ${drop_user_id}
      on conflict do nothing returning 1`.execute(db)
    if (given.length === 0) return []
    const { rows } = await sql<{ after: unknown }>`select to_jsonb(t) as after from parent t where t.school_id = ${school_id} and t.user_id = ${keep_user_id}`.execute(db)
    return rows.map(({ after }) => ({ table_name: table, row_key: keep_user_id, column_name: 'user_id', old_user_id: drop_user_id, after }))
  },
  /** Whoever has got a child of his own since stays a parent. */
  async take(db: Db, { school_id, keep_user_id }: RekeyPair, rows: readonly MovedRow[]): Promise<void> {
    if (!rows.some(row => row.table_name === table)) return
    await sql`
      delete from parent p where p.school_id = ${school_id} and p.user_id = ${keep_user_id}
        and not exists (select from guardian_link g where g.school_id = ${school_id} and g.parent_user_id = ${keep_user_id})`.execute(db)
  },
}
