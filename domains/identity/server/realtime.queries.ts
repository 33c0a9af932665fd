import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import { asIdentity } from './db.ts'

const watch_minutes = 10
const most_clients = 5

/** Makes the row of a new connection; a session keeps its newest few. Answers those that are over by it. */
export async function openWatch(db: QueryExecutorProvider, { client_id, session_id }: { client_id: string; session_id: string }, now: Date): Promise<string[]> {
  const own = asIdentity(db)
  await own.insertInto('realtime_watch').values({ client_id, session_id, expire_at: untilOf(now) }).execute()
  const newest = own.selectFrom('realtime_watch').select('client_id').where('session_id', '=', session_id).where('client_id', '<>', client_id).orderBy('expire_at', 'desc').limit(most_clients - 1)
  const over = await own.deleteFrom('realtime_watch').where('session_id', '=', session_id).where('client_id', '<>', client_id).where('client_id', 'not in', newest).returning('client_id').execute()
  return over.map(row => row.client_id)
}

/** The connection a call means: the named one of the session, or its newest. */
export async function findWatch(db: QueryExecutorProvider, session_id: string, client_id: string | undefined, now: Date): Promise<string | undefined> {
  const row = await asIdentity(db)
    .selectFrom('realtime_watch')
    .select('client_id')
    .where('session_id', '=', session_id)
    .where('expire_at', '>', now)
    .$if(client_id !== undefined, query => query.where('client_id', '=', client_id ?? ''))
    .orderBy('expire_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.client_id
}

/** Keeps a connection's row for another ten minutes. */
export async function keepWatch(db: QueryExecutorProvider, client_id: string, now: Date): Promise<void> {
  await asIdentity(db).updateTable('realtime_watch').set({ expire_at: untilOf(now) }).where('client_id', '=', client_id).execute()
}

/** Replaces what a connection watches. */
export async function saveChannels(db: QueryExecutorProvider, client_id: string, channels: readonly string[]): Promise<void> {
  await asIdentity(db).updateTable('realtime_watch').set({ channels: [...channels] }).where('client_id', '=', client_id).execute()
}

/** What a connection watches; null when its row is gone. */
export async function readChannels(db: QueryExecutorProvider, client_id: string): Promise<readonly string[] | null> {
  const row = await asIdentity(db).selectFrom('realtime_watch').select('channels').where('client_id', '=', client_id).executeTakeFirst()
  return row?.channels ?? null
}

/** Those of these sessions of a school under which somebody may still act. */
export async function livingSessions(db: QueryExecutorProvider, school_id: number, session_ids: readonly string[], now: Date): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ session_id: string }>`
    select s.session_id from session s
    join account a on a.user_id = s.user_id and a.enabled
    join school_v o on o.school_id = s.school_id and o.state = 2
    left join school_user u on u.school_id = s.school_id and u.user_id = s.user_id
    where s.school_id = ${school_id} and s.session_id = any(${[...session_ids]}::uuid[]) and s.revoked_at is null
      and s.idle_until > ${now} and s.absolute_until > ${now} and u.left_at is null
      and (s.role_no < 0 or exists (
        select from role_member m join role r on r.school_id = m.school_id and r.role_id = m.role_id and r.enabled
        where m.school_id = ${school_id} and m.role_no = s.role_no and m.valid_from <= ${now} and (m.valid_to is null or m.valid_to > ${now})))`.execute(db)
  return new Set(rows.map(row => row.session_id))
}

function untilOf(now: Date): Date {
  return new Date(now.getTime() + watch_minutes * 60_000)
}
