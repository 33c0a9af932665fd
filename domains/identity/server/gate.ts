import { commonErrors, fail } from '@kit/contract'
import type { App, Boot, Gate, Me, Scope } from '@kit/server/http'
import type { Desk, IdentityHandle, Own } from './db.ts'
import { findIdentity, findSession, findSuperIdentity, touchSession } from './session.queries.ts'
import { readToken } from './session-token.ts'
import type { Claims } from './session-token.ts'

const active = 2
const cache_ms = 1000
const cache_size = 20_000
const touch_ms = 60_000

type Session = NonNullable<Awaited<ReturnType<typeof findSession>>>
type Identity = NonNullable<Awaited<ReturnType<typeof findIdentity>>>
type Entry = { until: number; me: Promise<Me> }

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
  cache.set(claims.sid, { until: performance.now() + cache_ms, me })
  me.catch(() => cache.delete(claims.sid))
  return me
}

/** Forgets what is known of ended sessions, so that this node refuses them at once; the others do within a second. */
export function forgetSessions(app: App, session_ids: readonly string[]): void {
  for (const session_id of session_ids) cacheOf(app).delete(session_id)
}

function cacheOf(app: App): Map<string, Entry> {
  const cache = answers.get(app) ?? new Map<string, Entry>()
  answers.set(app, cache)
  return cache
}

async function loadMe(desk: Desk, db: IdentityHandle, claims: Claims): Promise<Me> {
  const { sid: session_id, school_id } = claims
  const session = await findSession(db, school_id, session_id, desk.now)
  if (!session || !isLive(session, desk.now) || session.user_id !== claims.sub || session.role_no !== claims.role_no) throw fail(commonErrors.unauthorized)
  const identity = await identityOf(db, school_id, session, desk.now)
  if (!identity?.enabled) throw fail(commonErrors.unauthorized)
  if (desk.now.getTime() - session.seen_at.getTime() >= touch_ms) await touchSession(db, school_id, session_id, session.idle_minutes, desk.now)
  return toMe(desk.app, session, identity, school_id, session_id)
}

/** Whether the session, its person and its school still stand. */
export function isLive(session: Session, now: Date): boolean {
  if (session.revoked_at !== null || session.left_at !== null || !session.enabled || session.state !== active) return false
  return session.idle_until > now && session.absolute_until > now
}

/** The identity a session stands for, as it is now. */
export function identityOf(db: IdentityHandle, school_id: number, session: Session, now: Date): Promise<Identity | undefined> {
  if (!isSuperNo(session.role_no)) return findIdentity(db, school_id, session.user_id, session.role_no, now)
  return session.super_slot === null ? Promise.resolve(undefined) : findSuperIdentity(db, school_id)
}

/** The identities of a super account have the number of their school, negative. */
function isSuperNo(role_no: string): boolean {
  return role_no.startsWith('-')
}

function toMe(app: App, session: Session, identity: Identity, school_id: number, session_id: string): Me {
  const is_super = isSuperNo(session.role_no)
  const codes = is_super ? app.codes : new Set(identity.codes.map(row => row.code))
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
    codes,
    scopes: { dept: scopeOf('dept', session, identity, is_super), place: scopeOf('place', session, identity, is_super) },
  }
}

/** Without a row a role sees nothing. A membership that names departments of its own works over these alone. */
function scopeOf(dimension: 'dept' | 'place', session: Session, identity: Identity, is_super: boolean): Scope {
  const facts = session.facts.filter(fact => fact.dimension === dimension).flatMap(fact => factOf(fact) ?? [])
  if (is_super) return { kind: 'all', ids: [], facts }
  if (dimension === 'dept' && identity.scope_ids && identity.scope_ids.length > 0) return { kind: 'custom', ids: identity.scope_ids, facts }
  const row = identity.scopes.find(scope => scope.dimension === dimension)
  return { kind: scope_kinds.find(kind => kind === row?.kind) ?? 'none', ids: row?.ids ?? [], facts }
}

const scope_kinds = ['all', 'own', 'own_below', 'class_teacher', 'teaching', 'custom', 'self', 'none'] as const
const fact_kinds = ['class_teacher', 'teaching', 'delegated', 'manager'] as const

function factOf(fact: { kind: string; id: string }): Scope['facts'][number] | undefined {
  const kind = fact_kinds.find(known => known === fact.kind)
  return kind && { kind, id: fact.id }
}
