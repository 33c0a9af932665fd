import { identityEvents } from '@campus/identity/contract'
import { publishEach } from '@kit/server/event'
import type { App } from '@kit/server/http'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'

type Desk = { app: App; db: QueryExecutorProvider; school_id: number; now: Date }
type Person = { user_id: string }

/**
 * Notes at the accounts of these people that they have left the school, and shuts those to which no school is left (chapter 10 §7). A super
 * account belongs to none and stays.
 * @returns whose account was shut
 */
export async function markLeft({ app, db, school_id, now }: Desk, user_ids: readonly string[]): Promise<Person[]> {
  await sql`update account_school set left_at = ${now} where school_id = ${school_id} and user_id = any(${[...user_ids]}::bigint[])`.execute(db)
  const { rows } = await sql<Person & { has_login: boolean }>`
    update account a set enabled = false, departed_at = ${now}, updated_at = ${now}
    where a.user_id = any(${[...user_ids]}::bigint[]) and a.enabled and a.super_slot is null
      and not exists (select from account_school s where s.user_id = a.user_id and s.left_at is null)
    returning a.user_id, a.username is not null as has_login`.execute(db)
  await publishEach({ app, db, school_id, now }, identityEvents.accountDisabled, rows.flatMap(({ user_id, has_login }) => (has_login ? [{ user_id }] : [])))
  return rows
}

/** Whoever is in a school again has his account again, unless an administrator has shut it. Answers whose login is open again. */
export async function markHere(db: QueryExecutorProvider, school_id: number, user_ids: readonly string[]): Promise<string[]> {
  await sql`update account_school set left_at = null where school_id = ${school_id} and user_id = any(${[...user_ids]}::bigint[]) and left_at is not null`.execute(db)
  const { rows } = await sql<Person & { has_login: boolean }>`
    update account set enabled = true, departed_at = null where user_id = any(${[...user_ids]}::bigint[]) and departed_at is not null
    returning user_id, username is not null as has_login`.execute(db)
  return rows.flatMap(({ user_id, has_login }) => (has_login ? [user_id] : []))
}
