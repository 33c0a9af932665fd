import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'

/** `none`: no login was issued. `initial`: still the password that somebody else has given him. `own`: one of his own. */
export type PasswordState = 'none' | 'initial' | 'own'

/**
 * Whether these people of a school still have the password they were given (chapter 20 rule 24); nothing of the password itself. Whoever is not of the
 * school or has left is absent. The caller decides who may know.
 */
export async function passwordState(db: QueryExecutorProvider, school_id: number, user_ids: readonly string[]): Promise<ReadonlyMap<string, PasswordState>> {
  const { rows } = await sql<{ user_id: string; state: PasswordState }>`
    select u.user_id, case when a.username is null or a.password_hash is null then 'none' when a.pwd_state = 1 then 'own' else 'initial' end as state
    from school_user u join account a on a.user_id = u.user_id
    where u.school_id = ${school_id} and u.left_at is null and u.user_id = any(${[...user_ids]}::bigint[])`.execute(db)
  return new Map(rows.map(({ user_id, state }) => [user_id, state]))
}
