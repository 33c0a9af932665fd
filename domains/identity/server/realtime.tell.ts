import { identityEvents, meChannel, memberChannel } from '@campus/identity/contract'
import { publish } from '@kit/server/event'
import type { App } from '@kit/server/http'
import { push } from '@kit/server/realtime'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import { batches } from './db.ts'

type Online = { user_id: string; role_no: string; online: boolean }
type SessionKey = { session_id: string; user_id: string; role_no: string; app_code: string | null }

/** The transaction in which sessions begin or end. Without `app` (the command line) no domain is told, open browsers are. */
export type SessionDesk = { app: App | null; db: QueryExecutorProvider; school_id: number; now: Date }

/** Tells all nodes that sessions of a school are over, once the transaction is committed: their browsers learn why and are disconnected, other domains hear of it. */
export async function tellEnded({ app, db, school_id, now }: SessionDesk, session_ids: readonly string[], reason: string): Promise<void> {
  if (session_ids.length === 0) return
  await push({ db, school_id }, meChannel, [{ kind: 'session', reason }], { sessions: [...session_ids], end: true })
  const { rows } = await sql<Online>`
    select distinct e.user_id, e.role_no, exists (
      select from session s where s.school_id = ${school_id} and s.role_no = e.role_no and s.user_id = e.user_id and s.revoked_at is null and s.idle_until > e.revoked_at
    ) as online
    from session e where e.school_id = ${school_id} and e.session_id = any(${[...session_ids]}::uuid[]) and e.client = 'web'`.execute(db)
  if (rows.length > 0) await push({ db, school_id }, memberChannel, rows)
  if (app === null) return
  for (const batch of batches(session_ids)) {
    const ended = await sql<SessionKey>`
      select session_id, user_id, role_no, app_code from session where school_id = ${school_id} and session_id = any(${batch}::uuid[]) order by session_id`.execute(db)
    await publish({ app, db, school_id, now }, identityEvents.sessionRevoked, { reason, sessions: ended.rows })
  }
}

/** Tells whoever looks at members that somebody has signed in to the console, and other domains that a session has begun. */
export async function tellBegun({ app, db, school_id, now }: SessionDesk & { app: App }, session: SessionKey): Promise<void> {
  const { user_id, role_no } = session
  if (session.app_code === null) await push({ db, school_id }, memberChannel, [{ user_id, role_no, online: true }])
  await publish({ app, db, school_id, now, me: { user_id } }, identityEvents.sessionStarted, session)
}

/** Tells whoever works under a role that he may do other things now (chapter 10 R5). */
export async function tellRights(db: QueryExecutorProvider, school_id: number, role_id: string): Promise<void> {
  await push({ db, school_id }, meChannel, [{ kind: 'rights' }], { roles: [role_id] })
}

/** Tells these people that what they may see or do is otherwise now; every node forgets what it knew of their rights. */
export async function tellOwnRights(db: QueryExecutorProvider, school_id: number, user_ids: readonly string[]): Promise<void> {
  if (user_ids.length > 0) await push({ db, school_id }, meChannel, [{ kind: 'rights' }], { users: [...new Set(user_ids)] })
}
