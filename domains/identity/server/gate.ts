import { commonErrors, fail } from '@kit/contract'
import type { App, Boot, Gate, Me } from '@kit/server/http'
import type { Desk, IdentityHandle, Own } from './db.ts'
import { administratorCodes } from './duties-apart.ts'
import { findIdentity, findSession, findSuperIdentity, touchSession } from './session.queries.ts'
import type { Identity } from './session.queries.ts'
import { readToken } from './session-token.ts'
import type { Claims } from './session-token.ts'
import { accountStands, codesIn, schoolStands, scopesIn } from './standing.ts'
import { callsOf } from './sub-app.manifest.ts'

const cache_ms = 1000
const cache_size = 20_000
const touch_ms = 60_000

type Session = NonNullable<Awaited<ReturnType<typeof findSession>>>
type Entry = { until: number; school_id: number; me: Promise<Me> }

/** Answers of the last second; real time, because a test's clock may stand still. */
const answers = new WeakMap<App, Map<string, Entry>>()

/** The guard of every call that needs a session. */
export function openGate({ app, database }: Boot): Gate {
  const own: Own = (school_id, fn) => database.tenant(school_id, fn)
  return { authenticate: token => authenticate({ app, own, now: app.clock.now() }, token) }
}

/**
 * The acting identity of a session token: signature, then session, account, school, role and its rights in one transaction, at most a
 * second old.
 * @throws Refusal 401 when any of them does not hold
 */
export async function authenticate(desk: Desk, token: string): Promise<Me> {
  const claims = await readToken(desk.app, token, desk.now)
  if (!claims) throw fail(commonErrors.unauthorized)
  const cache = cacheOf(desk.app)
  const known = cache.get(claims.sid)
  if (known && known.until > performance.now()) return known.me
  const me = desk.own(claims.school_id, db => loadMe(desk, db, claims))
  if (cache.size > cache_size) cache.clear()
  cache.set(claims.sid, { until: performance.now() + cache_ms, school_id: claims.school_id, me })
  me.catch(() => cache.delete(claims.sid))
  return me
}

/** Forgets what is known of ended sessions, so that this node refuses them at once; the others do within a second. */
export function forgetSessions(app: App, session_ids: readonly string[]): void {
  for (const session_id of session_ids) cacheOf(app).delete(session_id)
}

/** Forgets the rights of everybody in a school after a role was changed; the other nodes know within a second. */
export function forgetSchool(app: App, school_id: number): void {
  const cache = cacheOf(app)
  for (const [session_id, entry] of cache) if (entry.school_id === school_id) cache.delete(session_id)
}

function cacheOf(app: App): Map<string, Entry> {
  const cache = answers.get(app) ?? new Map<string, Entry>()
  answers.set(app, cache)
  return cache
}

/** The acting identity of a session as it stands, for whoever only watches: it is no use of the session. Null when it is over. */
export async function standingMe(desk: Desk, { school_id, session_id, user_id, role_no }: { school_id: number; session_id: string; user_id: string; role_no: string }): Promise<Me | null> {
  return desk.own(school_id, async db => {
    const session = await findSession(db, school_id, session_id, desk.now)
    if (!session || !isLive(session, desk.now) || session.user_id !== user_id || session.role_no !== role_no) return null
    const identity = await identityOf(db, school_id, session, desk.now)
    return identity?.enabled ? toMe(desk.app, session, identity, school_id, session_id) : null
  })
}

async function loadMe(desk: Desk, db: IdentityHandle, claims: Claims): Promise<Me> {
  const { sid: session_id, school_id } = claims
  const session = await findSession(db, school_id, session_id, desk.now)
  if (!session || !isLive(session, desk.now) || !isOf(session, claims)) throw fail(commonErrors.unauthorized)
  const identity = await identityOf(db, school_id, session, desk.now)
  if (!identity?.enabled) throw fail(commonErrors.unauthorized)
  if (desk.now.getTime() - session.seen_at.getTime() >= touch_ms) await touchSession(db, school_id, session_id, session.idle_minutes, desk.now)
  return toMe(desk.app, session, identity, school_id, session_id)
}

function isOf(session: Session, { sub, role_no, app_code }: Claims): boolean {
  return session.user_id === sub && session.role_no === role_no && session.app_code === (app_code ?? null)
}

/** Whether the session, the one it came of, its person and its school still stand. */
export function isLive(session: Session, now: Date): boolean {
  if (session.revoked_at !== null || !accountStands(session) || !schoolStands(session)) return false
  return session.idle_until > now && session.absolute_until > now && parentStands(session, now)
}

/** A sub-application ends with the session that opened it (chapter 80 M3, M7); the hall lies idle while the one opened from it is used. */
function parentStands({ parent_session_id, parent_client, parent_revoked_at, parent_idle_until, parent_until }: Session, now: Date): boolean {
  if (parent_session_id === null) return true
  if (parent_idle_until === null || parent_until === null) return false
  return parent_revoked_at === null && parent_until > now && (parent_client === 'mini' || parent_idle_until > now)
}

/** The identity a session stands for, as it is now. */
export function identityOf(db: IdentityHandle, school_id: number, session: Session, now: Date): Promise<Identity | undefined> {
  if (!isSuperNo(session.role_no)) return findIdentity(db, school_id, session.user_id, session.role_no, now)
  return session.super_slot === null ? Promise.resolve(undefined) : findSuperIdentity(db, school_id)
}

/** The identities of a super account have the number of their school, negative. */
export function isSuperNo(role_no: string): boolean {
  return role_no.startsWith('-')
}

function toMe(app: App, session: Session, identity: Identity, school_id: number, session_id: string): Me {
  const is_super = isSuperNo(session.role_no)
  const username = session.username ?? ''
  return {
    user_id: session.user_id,
    user_no: session.user_no ?? username,
    user_name: session.user_name ?? username,
    username,
    school_id,
    role_no: session.role_no,
    role_id: identity.role_id,
    role_code: identity.code,
    role_name: identity.name,
    user_dep: identity.user_dep,
    session_id,
    is_super,
    dept_is_exact: identity.dept_is_exact === 1,
    codes: is_super ? administratorCodes(app) : codesIn(identity),
    scopes: scopesIn(session.facts, identity, is_super),
    ...(identity.acted_for === null ? {} : { acted_for: { user_id: identity.acted_for, user_name: identity.acted_for_name ?? '' } }),
    ...(session.app_code === null ? {} : { mini: { app_code: session.app_code, calls: callsOf(app, session.app_code) } }),
  }
}
