import { meChannel, memberChannel } from '@campus/identity/contract'
import { push } from '@kit/server/realtime'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'

type Online = { user_id: string; role_no: string; online: boolean }

/** Tells all nodes that sessions of a school are over, once the transaction is committed: their browsers learn why and are disconnected. */
export async function tellEnded(db: QueryExecutorProvider, school_id: number, session_ids: readonly string[], reason: string): Promise<void> {
  if (session_ids.length === 0) return
  await push({ db, school_id }, meChannel, [{ kind: 'session', reason }], { sessions: [...session_ids], end: true })
  const { rows } = await sql<Online>`
    select distinct e.user_id, e.role_no, exists (
      select from session s where s.school_id = ${school_id} and s.role_no = e.role_no and s.user_id = e.user_id and s.revoked_at is null and s.idle_until > e.revoked_at
    ) as online
    from session e where e.school_id = ${school_id} and e.session_id = any(${[...session_ids]}::uuid[]) and e.client = 'web'`.execute(db)
  if (rows.length > 0) await push({ db, school_id }, memberChannel, rows)
}

/** Tells whoever looks at members that somebody has signed in. */
export async function tellBegun(db: QueryExecutorProvider, school_id: number, { user_id, role_no }: { user_id: string; role_no: string }): Promise<void> {
  await push({ db, school_id }, memberChannel, [{ user_id, role_no, online: true }])
}

/** Tells whoever works under a role that he may do other things now (chapter 10 R5). */
export async function tellRights(db: QueryExecutorProvider, school_id: number, role_id: string): Promise<void> {
  await push({ db, school_id }, meChannel, [{ kind: 'rights' }], { roles: [role_id] })
}
