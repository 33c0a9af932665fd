import type { Database } from '@kit/server/db'
import type { SecretName } from '@kit/server/secrets'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'

export type Rotation = { rotation_no: number; key_name: string; from_mark: string; to_mark: string; begun_at: Date; done_at: Date | null; forgotten_at: Date | null }

/** Rotations of a key, the newest first. */
export async function rotationsOf(database: Database, key_name: SecretName): Promise<Rotation[]> {
  const { rows } = await database.tenant(0, db => sql<Rotation>`
    select rotation_no, key_name, from_mark, to_mark, begun_at, done_at, forgotten_at from key_rotation where key_name = ${key_name} order by rotation_no desc`.execute(db))
  return rows
}

/** Writes down that a key took the place of another; the same exchange is one line, however often it is begun. */
export async function beginRotation(database: Database, { key_name, from_mark, to_mark }: Pick<Rotation, 'key_name' | 'from_mark' | 'to_mark'>, now: Date): Promise<number> {
  const { rows } = await database.tenant(0, db => sql<{ rotation_no: number }>`
    insert into key_rotation (key_name, from_mark, to_mark, begun_at) values (${key_name}, ${from_mark}, ${to_mark}, ${now})
    on conflict (key_name, to_mark) do update set from_mark = key_rotation.from_mark returning rotation_no`.execute(db))
  const [found] = rows
  if (!found) throw new Error('the rotation was not written')
  return found.rotation_no
}

/** Everything is carried over: where the carrying had come to is no longer of interest. */
export async function endRotation(database: Database, rotation_no: number, now: Date): Promise<void> {
  await database.tenant<unknown, void>(0, async (db: Kysely<unknown>) => {
    await sql`update key_rotation set done_at = ${now} where rotation_no = ${rotation_no} and done_at is null`.execute(db)
    await sql`delete from key_rotation_step where rotation_no = ${rotation_no}`.execute(db)
  })
}

/** The earlier keys of a name are given up. */
export async function markForgotten(database: Database, key_name: SecretName, now: Date): Promise<void> {
  await database.tenant(0, db => sql`update key_rotation set forgotten_at = ${now} where key_name = ${key_name} and forgotten_at is null`.execute(db))
}

/** How many sessions other processes of the product have open on this PostgreSQL database since before a moment; the embedded engine has none. */
export async function serversAt(database: Database, before: Date): Promise<number> {
  if (database.engine === 'pglite') return 0
  const { rows } = await database.tenant(0, db => sql<{ n: number }>`
    select count(*)::int as n from pg_stat_activity where datname = current_database() and usename = current_user and application_name = 'smart-campus' and backend_start < ${before}`.execute(db), { read_only: true })
  return rows[0]?.n ?? 0
}
