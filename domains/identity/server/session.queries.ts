import { randomUUID } from 'node:crypto'
import type { App } from '@kit/server/http'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { sql } from 'kysely'
import type { IdentityHandle } from './db.ts'
import { tellBegun, tellEnded } from './realtime.tell.ts'
import { super_role } from './standing-code.ts'

const idle_default = 480
const absolute_days = 7
const mini_minutes = 24 * 60

/** A session about to begin: one identity on one browser. `role_no` below 0 is a super account in the school; `single_school`: a login provider of the school began it. */
export type NewSession = { school_id: number; user_id: string; role_no: string; device_label: string; ip: string; mini?: NewMini; single_school?: boolean }

/** The session of one sub-application (chapter 80 M3). It ends with its parent, if it has one, and `until` at the latest; `entry` 1 console, 2 phone, 3 partner. */
export type NewMini = { app_code: string; parent_session_id: string | null; entry: 1 | 2 | 3; idle_minutes: number; until?: Date }
type RevokeReason = 'logout' | 'switch' | 'password' | 'kicked' | 'disabled' | 'role_ended' | 'role_disabled' | 'school_suspended' | 'reuse_detected'

/** Writes the row of a new session; idle after the school's minutes, over after seven days. */
export async function insertSession({ app, db, now }: { app: App; db: IdentityHandle; now: Date }, { school_id, mini, ...rest }: NewSession): Promise<{ session_id: string }> {
  const session_id = randomUUID()
  const rule = mini ?? (await db.selectFrom('password_set').select('idle_minutes').where('school_id', '=', school_id).executeTakeFirst())
  const absolute_until = mini ? earlier(mini.until, later(now, mini_minutes)) : later(now, absolute_days * 1440)
  const times = { started_at: now, seen_at: now, idle_until: later(now, rule?.idle_minutes ?? idle_default), absolute_until }
  const { app_code = null, parent_session_id = null, entry = 1, idle_minutes = null } = mini ?? {}
  const client = mini ? 'mini' : 'web'
  await db.insertInto('session').values({ school_id, session_id, ...rest, ...times, client, app_code, parent_session_id, entry, idle_minutes }).execute()
  const { user_id, role_no } = rest
  await tellBegun({ app, db, school_id, now }, { session_id, user_id, role_no, app_code })
  return { session_id }
}

/** Whether a session was begun by a login provider, which vouches for its own school alone. */
export async function isSingleSchool(db: IdentityHandle, school_id: number, session_id: string): Promise<boolean> {
  const found = await db.selectFrom('session').select('single_school').where('school_id', '=', school_id).where('session_id', '=', session_id).executeTakeFirst()
  return found?.single_school === true
}

/** Session, account, person, school and today's declared facts of one session; undefined when there is no such session. */
export function findSession(db: IdentityHandle, school_id: number, session_id: string, now: Date) {
  return db
    .selectFrom('session as s')
    .innerJoin('account as a', 'a.user_id', 's.user_id')
    .innerJoin('school_v as o', 'o.school_id', 's.school_id')
    .leftJoin('school_user as u', join => join.onRef('u.school_id', '=', 's.school_id').onRef('u.user_id', '=', 's.user_id'))
    .leftJoin('password_set as p', 'p.school_id', 's.school_id')
    .leftJoin('session as q', join => join.onRef('q.school_id', '=', 's.school_id').onRef('q.session_id', '=', 's.parent_session_id'))
    .where('s.school_id', '=', school_id)
    .where('s.session_id', '=', session_id)
    .select(['s.user_id', 's.role_no', 's.refresh_generation', 's.prev_until', 's.device_label', 's.seen_at', 's.idle_until', 's.absolute_until', 's.revoked_at'])
    .select(['a.username', 'a.enabled', 'a.super_slot', 'u.user_no', 'u.user_name', 'u.user_kind', 'u.left_at', 'o.state'])
    .select(['s.client', 's.app_code', 's.parent_session_id', 'q.client as parent_client', 'q.revoked_at as parent_revoked_at', 'q.idle_until as parent_idle_until', 'q.absolute_until as parent_until'])
    .select(eb => eb.fn.coalesce('s.idle_minutes', 'p.idle_minutes').as('idle_minutes'))
    .select(todaysFacts(school_id, now, 's.user_id').as('facts'))
    .executeTakeFirst()
}

/** Account, departure and school of a person with today's declared facts, as the guard reads them; undefined when he is not of this school. */
export function findPerson(db: IdentityHandle, school_id: number, user_id: string, now: Date) {
  return db
    .selectFrom('school_user as u')
    .innerJoin('account as a', 'a.user_id', 'u.user_id')
    .innerJoin('school_v as o', 'o.school_id', 'u.school_id')
    .where('u.school_id', '=', school_id)
    .where('u.user_id', '=', user_id)
    .select(['u.user_id', 'u.user_name', 'u.left_at', 'a.username', 'a.enabled', 'o.state', 'o.school_type'])
    .select(todaysFacts(school_id, now, 'u.user_id').as('facts'))
    .executeTakeFirst()
}

/** What was declared about the person on whose behalf a membership `m` is held; null where it is held for oneself. */
function actedFacts(school_id: number, now: Date) {
  return sql<DeclaredFact[] | null>`case when m.acted_for is null then null else ${todaysFacts(school_id, now, 'm.acted_for')} end`
}

type DeclaredFact = { dimension: string; kind: string; id: string }

/** What domains have declared about a person and holds now. */
function todaysFacts(school_id: number, now: Date, user_column: string) {
  return sql<DeclaredFact[]>`(
    select coalesce(json_agg(json_build_object('dimension', f.dimension, 'kind', f.kind, 'id', f.id::text)), '[]'::json) from scope_fact f
    where f.school_id = ${school_id} and f.user_id = ${sql.ref(user_column)}
      and f.valid_from <= ${now} and (f.valid_to is null or f.valid_to > ${now}))`
}

/** The identity of a session as it is now, with the permissions and scopes of its role; undefined when it has ended. */
export function findIdentity(db: IdentityHandle, school_id: number, user_id: string, role_no: string, now: Date) {
  return withRights(db, school_id)
    .innerJoin('role_member as m', join => join.onRef('m.school_id', '=', 'r.school_id').onRef('m.role_id', '=', 'r.role_id'))
    .where('m.school_id', '=', school_id)
    .where('m.role_no', '=', role_no)
    .where('m.user_id', '=', user_id)
    .where('m.valid_from', '<=', now)
    .where(eb => eb.or([eb('m.valid_to', 'is', null), eb('m.valid_to', '>', now)]))
    .leftJoin('school_user as w', join => join.onRef('w.school_id', '=', 'm.school_id').onRef('w.user_id', '=', 'm.acted_for'))
    .select(['m.user_dep', 'm.scope_ids', 'm.acted_for', 'w.user_name as acted_for_name'])
    .select(actedFacts(school_id, now).as('acted_facts'))
    .executeTakeFirst()
}

/** Everything a person is in a school today or from a later day, with permissions and scopes. */
export function findIdentities(db: IdentityHandle, school_id: number, user_id: string, now: Date) {
  return withRights(db, school_id)
    .innerJoin('role_member as m', join => join.onRef('m.school_id', '=', 'r.school_id').onRef('m.role_id', '=', 'r.role_id'))
    .where('m.school_id', '=', school_id)
    .where('m.user_id', '=', user_id)
    .where(eb => eb.or([eb('m.valid_to', 'is', null), eb('m.valid_to', '>', now)]))
    .leftJoin('school_user as w', join => join.onRef('w.school_id', '=', 'm.school_id').onRef('w.user_id', '=', 'm.acted_for'))
    .select(['m.user_dep', 'm.scope_ids', 'm.acted_for', 'w.user_name as acted_for_name'])
    .select(actedFacts(school_id, now).as('acted_facts'))
    .execute()
}

/** An identity in force, with the permissions and scopes of its role. */
export type Identity = NonNullable<Awaited<ReturnType<typeof findIdentity>>>

/** The synthetic identity of a super account. */
export function findSuperIdentity(db: IdentityHandle, school_id: number) {
  return withRights(db, school_id)
    .where('r.code', '=', super_role)
    .select([sql<string>`'1'`.as('user_dep'), sql<string[] | null>`null`.as('scope_ids')])
    .select([sql<string | null>`null`.as('acted_for'), sql<string | null>`null`.as('acted_for_name'), sql<DeclaredFact[] | null>`null`.as('acted_facts')])
    .executeTakeFirst()
}

function withRights(db: IdentityHandle, school_id: number) {
  return db
    .selectFrom('role as r')
    .where('r.school_id', '=', school_id)
    .where('r.is_app', '=', false)
    .select(['r.role_id', 'r.code', 'r.name', 'r.enabled', 'r.dept_is_exact'])
    .select(eb => [
      jsonArrayFrom(eb.selectFrom('role_permission as g').where('g.school_id', '=', school_id).whereRef('g.role_id', '=', 'r.role_id').select('g.code')).as('codes'),
      jsonArrayFrom(
        eb
          .selectFrom('role_scope as c')
          .where('c.school_id', '=', school_id)
          .whereRef('c.role_id', '=', 'r.role_id')
          .select(['c.dimension', 'c.kind', sql<string[]>`c.ids::text[]`.as('ids')]),
      ).as('scopes'),
    ])
}

/** Notes that a session is in use; called at most once a minute and session. */
export async function touchSession(db: IdentityHandle, school_id: number, session_id: string, idle_minutes: number | null, now: Date): Promise<void> {
  const idle_until = later(now, idle_minutes ?? idle_default)
  await db.updateTable('session').set({ seen_at: now, idle_until }).where('school_id', '=', school_id).where('session_id', '=', session_id).execute()
}

/** Sessions of one person in one school that are to end, and why; `app` as `tellEnded` wants it. */
export type Revocation = { app: App | null; school_id: number; user_id: string; reason: RevokeReason; now: Date }

/** Ends one live session of a person; answers whether there was one. */
export async function revokeSession(db: IdentityHandle, session_id: string, which: Revocation): Promise<boolean> {
  const ended = await liveSessions(db, which).where('session_id', '=', session_id).execute()
  await tellEnded({ ...which, db }, ended.map(row => row.session_id), which.reason)
  return ended.length > 0
}

/** Ends all live sessions of a person in a school, but one; answers their ids. */
export async function revokeSessions(db: IdentityHandle, which: Revocation, except: string | undefined): Promise<string[]> {
  const all = liveSessions(db, which)
  const ended = await (except === undefined ? all : all.where('session_id', '!=', except)).execute()
  const session_ids = ended.map(row => row.session_id)
  await tellEnded({ ...which, db }, session_ids, which.reason)
  return session_ids
}

function liveSessions(db: IdentityHandle, { school_id, user_id, reason, now }: Revocation) {
  return db
    .updateTable('session')
    .set({ revoked_at: now, revoke_reason: reason })
    .where('school_id', '=', school_id)
    .where('user_id', '=', user_id)
    .where('revoked_at', 'is', null)
    .returning('session_id')
}

function earlier(one: Date | undefined, other: Date): Date {
  return one !== undefined && one < other ? one : other
}

function later(from: Date, minutes: number): Date {
  return new Date(from.getTime() + minutes * 60_000)
}
