import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'

/**
 * Carries the history of the permissions of roles on to how they stand now; every function that writes role_permission ends with it, in its
 * transaction. What was given and taken at one instant leaves nothing.
 */
export async function keepPast(db: QueryExecutorProvider, school_id: number, role_ids: readonly string[], now: Date): Promise<void> {
  const ids = [...role_ids]
  const gone = sql`s.school_id = ${school_id} and s.role_id = any(${ids}::bigint[]) and s.valid_to is null
    and not exists (select from role_permission p where p.school_id = ${school_id} and p.role_id = s.role_id and p.code = s.code)`
  await sql`delete from role_permission_span s where ${gone} and s.valid_from >= ${now}`.execute(db)
  await sql`update role_permission_span s set valid_to = ${now} where ${gone}`.execute(db)
  await sql`
    insert into role_permission_span (school_id, role_id, code, valid_from)
    select p.school_id, p.role_id, p.code, ${now}::timestamptz from role_permission p
    where p.school_id = ${school_id} and p.role_id = any(${ids}::bigint[])
      and not exists (select from role_permission_span s where s.school_id = ${school_id} and s.role_id = p.role_id and s.code = p.code and s.valid_to is null)
    on conflict do nothing`.execute(db)
}
