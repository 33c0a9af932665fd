import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import { asIdentity, batches } from './db.ts'

/** A person's display copy exactly as it stands, with times as texts that keep their microseconds. */
export type UserImage = { user_no: string; user_name: string; user_photo: string | null; user_kind: number; left_at: string | null; updated_at: string }

/** The display copies of these people of a school; whoever has none is absent. */
export async function userImages(db: QueryExecutorProvider, school_id: number, user_ids: readonly string[]): Promise<Map<string, UserImage>> {
  const found = await asIdentity(db)
    .selectFrom('school_user')
    .select(['user_id', 'user_no', 'user_name', 'user_photo', 'user_kind', sql<string | null>`left_at::text`.as('left_at'), sql<string>`updated_at::text`.as('updated_at')])
    .where('school_id', '=', school_id)
    .where(sql<boolean>`user_id = any(${[...user_ids]}::bigint[])`)
    .execute()
  return new Map(found.map(({ user_id, ...image }) => [user_id, image]))
}

/** Puts display copies back as they were. */
export async function restoreUsers(db: QueryExecutorProvider, school_id: number, images: ReadonlyMap<string, UserImage>): Promise<void> {
  for (const batch of batches([...images])) {
    const rows = batch.map(([user_id, image]) => ({ school_id, user_id, ...image }))
    await asIdentity(db)
      .insertInto('school_user')
      .values(rows)
      .onConflict(oc =>
        oc.columns(['school_id', 'user_id']).doUpdateSet(eb => ({
          user_no: eb.ref('excluded.user_no'),
          user_name: eb.ref('excluded.user_name'),
          user_photo: eb.ref('excluded.user_photo'),
          user_kind: eb.ref('excluded.user_kind'),
          left_at: eb.ref('excluded.left_at'),
          updated_at: eb.ref('excluded.updated_at'),
        })),
      )
      .execute()
  }
}

/** Those of these people whose account is in use: a login was issued, a role was given in this school, or another school knows them. */
export async function usedUsers(db: QueryExecutorProvider, school_id: number, user_ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ user_id: string }>`
    select a.user_id from account a
    where a.user_id = any(${[...user_ids]}::bigint[]) and (a.username is not null or a.super_slot is not null
      or exists (select from role_member m where m.school_id = ${school_id} and m.user_id = a.user_id)
      or exists (select from scope_fact f where f.school_id = ${school_id} and f.user_id = a.user_id)
      or exists (select from account_school s where s.user_id = a.user_id and s.school_id <> ${school_id}))`.execute(db)
  return new Set(rows.map(row => row.user_id))
}

/**
 * Removes people whom `ensureUsers` made by mistake: display copy and school, and the account where no other school knows it and no
 * login was ever issued. Ask `usedUsers` first.
 * @throws foreign key violation when one of them holds a role
 */
export async function removeUsers(db: QueryExecutorProvider, school_id: number, user_ids: readonly string[]): Promise<void> {
  const own = asIdentity(db)
  for (const batch of batches(user_ids)) {
    const chosen = sql<boolean>`user_id = any(${batch}::bigint[])`
    await own.deleteFrom('school_user').where('school_id', '=', school_id).where(chosen).execute()
    await own.deleteFrom('account_school').where('school_id', '=', school_id).where(chosen).execute()
    await own
      .deleteFrom('account')
      .where(chosen)
      .where('username', 'is', null)
      .where('super_slot', 'is', null)
      .where(({ not, exists, selectFrom }) => not(exists(selectFrom('account_school').select('account_school.user_id').whereRef('account_school.user_id', '=', 'account.user_id'))))
      .execute()
  }
}
