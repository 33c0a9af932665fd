import { identityErrors, identityEvents } from '@campus/identity/contract'
import type { TokenQuery, TokenReply } from '@campus/identity/contract'
import { fail } from '@kit/contract'
import { usable } from '@kit/contract/checks'
import type { LoginEntry } from '@kit/contract/checks'
import { publish } from '@kit/server/event'
import type { Me, Pre } from '@kit/server/http'
import type { z } from 'zod'
import { schoolsOf } from './account.queries.ts'
import type { Desk } from './db.ts'
import { authenticate, forgetSessions, isSuperNo } from './gate.ts'
import { openSchool, withoutFlags } from './role-list.service.ts'
import type { ListedRole } from './role-list.service.ts'
import { issueCredentials, setRefreshCookie } from './session.service.ts'
import { insertSession, isSingleSchool, revokeSession } from './session.queries.ts'
import type { NewMini } from './session.queries.ts'
import { looksLikeToken } from './session-token.ts'
import { phoneEntry, setMiniCookie } from './sub-app.cookie.ts'
import { findTicket, spendTicket } from './ticket.queries.ts'

type Query = z.output<typeof TokenQuery>
type Reply = z.output<typeof TokenReply>

/** Whose identities may be chosen: the holder of a role ticket, or of a live session that switches. */
type Subject = {
  user_id: string
  entry_school_id: number | null
  /** whoever vouched for the caller speaks for this school alone; null: his password did */
  only_school: number | null
  calling: Me | null
}

/**
 * Begins a session for one identity (chapter 10 R3): role_no, code, user_id, user_dep and school_id must together be one usable identity of
 * the caller. A ticket is spent by success alone; `is_invalidate` 1 ends the calling session.
 * @throws Refusal 401 ticketInvalid, 422 reasonMissing when a super account comes into a school without one, 403 roleMismatch, 403 webBlocked with the role's own sentence
 */
export async function enterRole(pre: Pre, query: Query): Promise<Reply> {
  const desk: Desk = pre
  const subject = await subjectOf(pre)
  const role = await chooseRole(desk, subject, query)
  if (!role) throw fail(identityErrors.roleMismatch)
  pre.note({ school_id: role.school_id, user_id: role.user_id, user_no: role.user_no, user_name: role.user_name, role_no: role.id, role_name: role.name })
  const reason = isForeign(subject, role) ? noteReason(pre, query.reason) : undefined
  if (role.allow_login_web && query.client === 'web') throw fail({ ...identityErrors.webBlocked, msg: role.allow_login_web_text || identityErrors.webBlocked.msg })
  const mini = query.client === 'mini' ? phoneEntry(query.trust === '1') : undefined
  const session_id = await begin(pre, subject, role, { is_switch: query.is_invalidate === '1', mini, reason })
  const who = { school_id: role.school_id, user_id: role.user_id, role_no: role.id, mini }
  const { token, expire_at, refresh } = await issueCredentials(desk, who, session_id, 1)
  if (mini) setMiniCookie(pre, mini.app_code, refresh)
  else setRefreshCookie(pre, refresh)
  const times = { expire_at: expire_at.toISOString(), server_time: desk.now.toISOString() }
  return { token, ...times, session_id, role: withoutFlags(role), role_id: role.role_id, dept_is_exact: role.dept_is_exact }
}

/** A super account that comes into a school: from another one, or as its first after a login, since it belongs to none (R9). */
function isForeign({ calling }: Subject, role: ListedRole): boolean {
  return isSuperNo(role.id) && role.school_id !== calling?.school_id
}

/** The reason stands in the log of the school that is entered, where its administrators read it; they are also told at once. */
function noteReason(pre: Pre, reason: string | undefined): string {
  if (!reason) throw fail(identityErrors.reasonMissing)
  pre.note({ reason })
  return reason
}

async function subjectOf(pre: Pre): Promise<Subject> {
  const desk: Desk = pre
  if (looksLikeToken(pre.bearer)) {
    const calling = await authenticate(desk, pre.bearer)
    // The session of one sub-application never becomes anything wider.
    if (calling.mini) throw fail(identityErrors.ticketInvalid)
    const { school_id, user_id, session_id } = calling
    const is_single = await desk.own(school_id, db => isSingleSchool(db, school_id, session_id))
    return { user_id, entry_school_id: school_id, only_school: is_single ? school_id : null, calling }
  }
  const ticket = await desk.own(0, db => findTicket(db, pre.bearer, 'role', desk.now))
  if (!ticket) throw fail(identityErrors.ticketInvalid)
  const { user_id, entry_school_id, school_id: only_school } = ticket
  return { user_id, entry_school_id, only_school, calling: null }
}

async function chooseRole(desk: Desk, subject: Subject, query: Query): Promise<ListedRole | undefined> {
  const { school_id } = query
  if (subject.only_school !== null && subject.only_school !== school_id) return undefined
  const holder = await desk.own(0, async db => {
    const account = await db.selectFrom('account').select(['user_id', 'username', 'super_slot', 'enabled']).where('user_id', '=', subject.user_id).executeTakeFirst()
    return account && { ...account, school_ids: await schoolsOf(db, subject.user_id) }
  })
  if (!holder?.enabled || !holder.school_ids.includes(school_id)) return undefined
  const { roles } = await desk.own(school_id, db => openSchool(desk, db, school_id, holder))
  // A super account goes from any school to any other, also to and from enterprises, which no list of identities shows.
  const entry = await entryOf(desk, subject.calling && isSuperNo(query.role_no) ? school_id : subject.entry_school_id)
  return usable(roles, entry, query.client).find(role => {
    return role.id === query.role_no && role.code === query.code && role.user_id === query.user_id && role.user_dep === query.user_dep
  })
}

/** The school of the address decides which identities are usable; a session keeps the school it was begun in. */
async function entryOf(desk: Desk, school_id: number | null): Promise<LoginEntry> {
  if (school_id === null) return {}
  const school = await desk.own(school_id, db => db.selectFrom('school_v').select('school_type').where('school_id', '=', school_id).executeTakeFirst())
  return { school_id, school_type: school?.school_type }
}

/** Ticket, new session and the end of the calling one in one transaction; a calling session of another school ends right after it. */
async function begin(pre: Pre, { user_id, calling, only_school }: Subject, role: ListedRole, { is_switch, mini, reason }: { is_switch: boolean; mini: NewMini | undefined; reason: string | undefined }): Promise<string> {
  const desk: Desk = pre
  const { school_id } = role
  const ended = is_switch ? calling : null
  const switched = { app: desk.app, reason: 'switch', now: desk.now } as const
  const session = { school_id, user_id, role_no: role.id, device_label: pre.request.device_label, ip: pre.request.ip, mini, single_school: only_school !== null }
  const { session_id } = await desk.own(school_id, async db => {
    if (!calling && !(await spendTicket(db, pre.bearer, desk.now))) throw fail(identityErrors.ticketInvalid)
    if (ended?.school_id === school_id) await revokeSession(db, ended.session_id, { school_id, user_id, ...switched })
    if (reason !== undefined) await publish({ ...pre, db, school_id, me: { user_id } }, identityEvents.superEntered, { user_name: role.user_name, reason })
    return insertSession({ ...desk, db }, session)
  })
  if (ended && ended.school_id !== school_id) {
    await desk.own(ended.school_id, db => revokeSession(db, ended.session_id, { school_id: ended.school_id, user_id, ...switched }))
  }
  if (ended) forgetSessions(desk.app, [ended.session_id])
  return session_id
}
