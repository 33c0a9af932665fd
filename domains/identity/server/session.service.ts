import type { Pre } from '@kit/server/http'
import type { Desk } from './db.ts'
import { insertSession } from './session.queries.ts'
import type { NewMini, NewSession } from './session.queries.ts'
import { refreshCookie, signToken } from './session-token.ts'

/** What the holder of a session gets: the token for the header and the secret for the cookie. */
export type Credentials = { session_id: string; token: string; expire_at: Date; refresh: string }

/** Whose session it is; `mini` names the one sub-application it is for. */
type Holder = Pick<NewSession, 'school_id' | 'user_id' | 'role_no'> & { mini?: Pick<NewMini, 'app_code'> }

const refresh_cookie = 'campus_refresh'
const refresh_days = 7

/** Begins a session for an identity that somebody else has checked, in a transaction of its own. */
export async function startSession(desk: Desk, session: NewSession): Promise<Credentials> {
  const { session_id } = await desk.own(session.school_id, db => insertSession({ ...desk, db }, session))
  return issueCredentials(desk, session, session_id, 1)
}

/** Token and refresh secret of a session row; outside any transaction, signing is no SQL. */
export async function issueCredentials(desk: Desk, who: Holder, session_id: string, generation: number): Promise<Credentials> {
  const { school_id, user_id, role_no, mini } = who
  const of_app = mini ? { app_code: mini.app_code } : {}
  const { token, expire_at } = await signToken(desk.app, { sub: user_id, sid: session_id, school_id, role_no, ...of_app }, desk.now)
  return { session_id, token, expire_at, refresh: refreshCookie(desk.app, { school_id, session_id, generation }) }
}

/** Puts the refresh secret into its HttpOnly cookie. */
export function setRefreshCookie(pre: Pre, refresh: string): void {
  pre.setCookie(refresh_cookie, refresh, refresh_days * 86_400, '/')
}

/** Takes the refresh secret away; only signing out does. */
export function dropRefreshCookie(pre: Pre): void {
  pre.setCookie(refresh_cookie, '', 0, '/')
}

/** The refresh cookie of this request. */
export function refreshCookieOf(pre: Pre): string | undefined {
  return pre.cookies[refresh_cookie]
}
