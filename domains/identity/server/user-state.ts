import { identityEvents } from '@campus/identity/contract'
import { publish, publishEach } from '@kit/server/event'
import type { App } from '@kit/server/http'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import { markHere, markLeft } from './account.departure.ts'
import { asIdentity } from './db.ts'
import { endActing } from './member.acting.ts'
import { removeBindsOf, restoreBinds } from './provider/bind.queries.ts'
import type { BindImage } from './provider/bind.queries.ts'
import { tellEnded } from './realtime.tell.ts'
import { keepAdministered } from './role.access.ts'

/** The transaction in which somebody leaves a school or comes back. */
export type UserStateDesk = { app: App; db: QueryExecutorProvider; school_id: number; now: Date }

/**
 * What the departure of one person has done, in this order: identities ended, sessions over (those of sub-applications too), remembered logins and
 * short credentials gone, live connections closed, outside binds removed, his jobs, the account shut. `follows`: it happens by itself within
 * seconds, because the identity has ended (J1). `target` is the person, `at` an instant; what there was nothing of is absent.
 */
export type OffReceipt = { effect: OffEffect; target: string; state: 'done' | 'follows'; count: number; at: string }
const off_effects = ['identities', 'sessions', 'remembered', 'tickets', 'realtime', 'binds', 'jobs', 'account'] as const
type OffEffect = (typeof off_effects)[number]
const off_words: Partial<Record<OffEffect, string>> = { identities: '结束身份', sessions: '下线登录', remembered: '清除记住的登录', binds: '解除外部绑定', account: '停用账号' }
const nobody = '00000000-0000-0000-0000-000000000000'

/** What `userOff` ended, from which `userOn` restores it: instants as texts with their microseconds. JSON can hold it. */
export type UserOff = { user_id: string; off_at: string; roles: { role_no: string; valid_to: string | null }[]; binds?: BindImage[]; receipts?: OffReceipt[] }

/**
 * Ends what these people are in one school (chapter 10 §7, departure): their roles, sessions, remembered logins, tickets and one-time codes, live
 * connections and outside binds; the next call with a token fails within a second. The account is shut where no other school is left to it.
 * Roles that begin later stay: nobody who has left gets in. What others hold on their behalf ends too, and is no more where it has not begun.
 * @returns what was ended, with a receipt for each effect; people who had left before are absent
 */
export async function userOff(desk: UserStateDesk, user_ids: readonly string[]): Promise<UserOff[]> {
  const { app, db, school_id, now } = desk
  const left = await asIdentity(db)
    .updateTable('school_user')
    .set({ left_at: now })
    .where('school_id', '=', school_id)
    .where('left_at', 'is', null)
    .where(among(user_ids))
    .returning('user_id')
    .execute()
  const gone = left.map(person => person.user_id)
  const roles = await endRoles(desk, gone)
  const acting = await endActing({ app, db: asIdentity(db), school_id, now }, gone)
  const entrances = await endEntrances(desk, gone)
  const binds = await removeBindsOf(db, school_id, gone)
  const account = await markLeft({ app, db, school_id, now }, gone)
  const receipts = Map.groupBy(receiptsOf({ identities: roles, ...entrances, binds, jobs: roles, account }, now), receipt => receipt.target)
  const roles_of = Map.groupBy([...roles, ...acting.cut.map(({ role_no, acted_for, had_to }) => ({ role_no, user_id: acted_for, valid_to: had_to }))], role => role.user_id)
  const binds_of = Map.groupBy(binds, bind => bind.user_id)
  return left.map(person => ({
    ...person,
    off_at: now.toISOString(),
    roles: (roles_of.get(person.user_id) ?? []).map(({ role_no, valid_to }) => ({ role_no, valid_to })),
    binds: binds_of.get(person.user_id) ?? [],
    receipts: receipts.get(person.user_id) ?? [],
  }))
}

/**
 * As `userOff`, for people who may be administrators: a school that had one has one afterwards.
 * @throws Refusal 409 lastAdmin; the caller's transaction then takes everything back
 */
export function userOffKept(desk: UserStateDesk, user_ids: readonly string[]): Promise<UserOff[]> {
  return keepAdministered({ ...desk, db: asIdentity(desk.db) }, () => userOff(desk, user_ids))
}

async function endRoles({ app, db, school_id, now }: UserStateDesk, user_ids: readonly string[]) {
  const roles = await openRoles(db, school_id, user_ids, now)
  if (roles.length === 0) return roles
  await asIdentity(db)
    .updateTable('role_member')
    .set(eb => ({ valid_to: now, updated_at: now, row_version: eb('row_version', '+', 1) }))
    .where('school_id', '=', school_id)
    .where(sql<boolean>`role_no = any(${roles.map(role => role.role_no)}::bigint[])`)
    .execute()
  await publish({ app, db, school_id, now }, identityEvents.memberEnded, { members: roles.map(({ role_no, role_id, user_id }) => ({ role_no, role_id, user_id })) })
  return roles
}

/** Everything with which one of these people could come in or is in. Remembered logins are the account's: they go in whichever school it is. */
async function endEntrances({ app, db, school_id, now }: UserStateDesk, user_ids: readonly string[]) {
  const own = asIdentity(db)
  const sessions = await own
    .updateTable('session')
    .set({ revoked_at: now, revoke_reason: 'role_ended' })
    .where('school_id', '=', school_id)
    .where('revoked_at', 'is', null)
    .where(among(user_ids))
    .returning(['session_id', 'user_id'])
    .execute()
  await tellEnded({ app, db, school_id, now }, sessions.map(row => row.session_id), 'role_ended')
  const remembered = await own.updateTable('remember_token').set({ revoked_at: now }).where(among(user_ids)).where('revoked_at', 'is', null).returning('user_id').execute()
  const tickets = await own
    .deleteFrom('ticket')
    .where(among(user_ids))
    .where(eb => eb.or([eb('school_id', 'is', null), eb('school_id', '=', school_id)]))
    .returning(['user_id', 'used_at'])
    .execute()
  const whose = new Map(sessions.map(row => [row.session_id, row.user_id]))
  const watches = await own.deleteFrom('realtime_watch').where('session_id', 'in', whose.size > 0 ? [...whose.keys()] : [nobody]).returning('session_id').execute()
  const realtime = watches.flatMap(({ session_id }) => ({ user_id: whose.get(session_id) ?? '' }))
  return { sessions, remembered, tickets: tickets.filter(ticket => ticket.used_at === null), realtime }
}

function receiptsOf(done: Record<OffEffect, readonly { user_id: string }[]>, now: Date): OffReceipt[] {
  return off_effects.flatMap(effect =>
    [...Map.groupBy(done[effect], row => row.user_id)].map(([target, rows]) => ({ effect, target, state: effect === 'jobs' ? 'follows' as const : 'done' as const, count: rows.length, at: now.toISOString() })),
  )
}

/** Roles that hold now, locked. One that began at this very moment has no time to end in and stays. */
function openRoles(db: QueryExecutorProvider, school_id: number, user_ids: readonly string[], now: Date) {
  return asIdentity(db)
    .selectFrom('role_member')
    .select(['user_id', 'role_id', 'role_no', sql<string | null>`valid_to::text`.as('valid_to')])
    .where('school_id', '=', school_id)
    .where(among(user_ids))
    .where('valid_from', '<', now)
    .where(eb => eb.or([eb('valid_to', 'is', null), eb('valid_to', '>', now)]))
    .orderBy('role_no')
    .forUpdate()
    .execute()
}

/**
 * Takes `userOff` back: the people are here again, their roles last as long as they did, an account that was shut because no school was left is
 * open. Sessions and everything else that lets in stay ended. Whoever somebody else has brought back or sent away since is left alone, and so is a
 * role that was changed since.
 */
export async function userOn(desk: UserStateDesk, ended: readonly UserOff[]): Promise<void> {
  const { db, school_id } = desk
  const people = JSON.stringify(ended.map(({ user_id, off_at }) => ({ user_id, off_at })))
  const { rows: back } = await sql<{ user_id: string }>`
    update school_user u set left_at = null
    from jsonb_to_recordset(${people}::jsonb) as e(user_id bigint, off_at timestamptz)
    where u.school_id = ${school_id} and u.user_id = e.user_id and u.left_at = e.off_at
    returning u.user_id`.execute(db)
  const reopened = await markHere(db, school_id, back.map(person => person.user_id))
  await publishEach(desk, identityEvents.accountEnabled, reopened.map(user_id => ({ user_id })))
  const roles = JSON.stringify(ended.flatMap(({ off_at, roles: own }) => own.map(role => ({ ...role, off_at }))))
  await sql`
    update role_member m set valid_to = e.valid_to, row_version = m.row_version + 1
    from jsonb_to_recordset(${roles}::jsonb) as e(role_no bigint, valid_to timestamptz, off_at timestamptz)
    where m.school_id = ${school_id} and m.role_no = e.role_no and m.valid_to = e.off_at`.execute(db)
  await restoreBinds(db, school_id, ended.flatMap(person => person.binds ?? []))
}

function among(user_ids: readonly string[]) {
  return sql<boolean>`user_id = any(${[...user_ids]}::bigint[])`
}

/** What was ended, in the words of a receipt line; null when there was nothing. */
export function offWords(ended: readonly UserOff[]): string | null {
  const told = ended.flatMap(person => person.receipts ?? [])
  const parts = off_effects.flatMap(effect => {
    const count = told.reduce((sum, receipt) => sum + (receipt.effect === effect ? receipt.count : 0), 0)
    const words = off_words[effect]
    return count > 0 && words !== undefined ? [`${words}${count}个`] : []
  })
  return parts.join('、') || null
}
