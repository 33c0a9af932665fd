import { identityErrors, identityEvents } from '@campus/identity/contract'
import type { RefreshReply } from '@campus/identity/contract'
import { fail } from '@kit/contract'
import { publish } from '@kit/server/event'
import type { Pre } from '@kit/server/http'
import type { z } from 'zod'
import type { Desk, IdentityHandle } from './db.ts'
import { forgetSessions, identityOf, isLive } from './gate.ts'
import { findSession, revokeSession } from './session.queries.ts'
import { issueCredentials, refreshCookieOf, setRefreshCookie } from './session.service.ts'
import { readRefreshCookie } from './session-token.ts'
import type { RefreshSecret } from './session-token.ts'

const grace_ms = 30_000

/** Whose session it is, as the log names him. */
type Holder = { user_id: string; role_no: string; user_no: string | undefined; user_name: string | undefined }

/**
 * `next` is the generation to answer with; `of_app_client`: what the hall opened, where the app roles decide. A stolen secret is told apart from one that
 * is merely over.
 */
export type Verdict = (Holder & { kind: 'good'; next: number; of_app_client: boolean }) | { kind: 'over' } | (Holder & { kind: 'stolen' })

/**
 * A new session token for the refresh cookie, which is rotated (chapter 10 S2). Tabs that come at once with the same secret are all answered
 * with the same successor for 30 seconds; later use of an old secret is theft and ends the session. A lost race never clears the cookie.
 * @throws Refusal 401 ticketInvalid
 */
export async function refreshSession(pre: Pre): Promise<z.output<typeof RefreshReply>> {
  const desk: Desk = pre
  const secret = readRefreshCookie(desk.app, refreshCookieOf(pre))
  if (!secret) throw fail(identityErrors.ticketInvalid)
  const verdict = await desk.own(secret.school_id, db => judgeRefresh(desk, db, secret, null))
  if (verdict.kind === 'stolen') noteTheft(pre, secret, verdict)
  if (verdict.kind !== 'good') throw fail(identityErrors.ticketInvalid)
  const { user_id, user_no, user_name, role_no, next } = verdict
  pre.note({ school_id: secret.school_id, user_id, user_no, user_name, role_no })
  const { token, expire_at, refresh } = await issueCredentials(desk, { school_id: secret.school_id, user_id, role_no }, secret.session_id, next)
  setRefreshCookie(pre, refresh)
  return { token, expire_at: expire_at.toISOString(), server_time: desk.now.toISOString() }
}

/** The caller is told no more than that he is out; the log of the school says why, and the person is told by an event. */
export function noteTheft(pre: Pre, { school_id, session_id }: RefreshSecret, { user_id, user_no, user_name, role_no }: Extract<Verdict, { kind: 'stolen' }>): void {
  forgetSessions(pre.app, [session_id])
  pre.note({ school_id, user_id, user_no, user_name, role_no, target_kind: 'session', target_id: session_id, reason: '登录凭证更换后被再次使用，会话已强制结束' })
}

/** Whether a refresh secret is good for the console (`app_code` null) or for that one sub-application; a good one is rotated, a copy ends the session. */
export async function judgeRefresh(desk: Desk, db: IdentityHandle, { school_id, session_id, generation }: RefreshSecret, app_code: string | null): Promise<Verdict> {
  await db.selectFrom('session').select('session_id').where('school_id', '=', school_id).where('session_id', '=', session_id).forUpdate().execute()
  const session = await findSession(db, school_id, session_id, desk.now)
  if (!session || session.app_code !== app_code || !isLive(session, desk.now)) return { kind: 'over' }
  const identity = await identityOf(db, school_id, session, desk.now)
  if (!identity?.enabled) return { kind: 'over' }
  const { user_id, role_no, refresh_generation, prev_until } = session
  const holder = { user_id, role_no, user_no: session.user_no ?? session.username ?? undefined, user_name: session.user_name ?? session.username ?? undefined }
  const of_app_client = session.parent_client === 'mini'
  if (generation === refresh_generation) {
    await rotate(db, school_id, session_id, desk.now)
    return { kind: 'good', ...holder, next: refresh_generation + 1, of_app_client }
  }
  const is_twin = generation === refresh_generation - 1 && prev_until !== null && prev_until >= desk.now
  if (is_twin) return { kind: 'good', ...holder, next: refresh_generation, of_app_client }
  await revokeSession(db, session_id, { app: desk.app, school_id, user_id, reason: 'reuse_detected', now: desk.now })
  await publish({ ...desk, db, school_id }, identityEvents.sessionStolen, { session_id, user_id, device_label: session.device_label })
  return { kind: 'stolen', ...holder }
}

async function rotate(db: IdentityHandle, school_id: number, session_id: string, now: Date): Promise<void> {
  await db
    .updateTable('session')
    .set(eb => ({ refresh_generation: eb('refresh_generation', '+', 1), prev_until: new Date(now.getTime() + grace_ms) }))
    .where('school_id', '=', school_id)
    .where('session_id', '=', session_id)
    .execute()
}
