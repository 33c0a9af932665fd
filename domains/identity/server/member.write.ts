import { identityErrors, identityEvents } from '@campus/identity/contract'
import type { memberApi, MemberOutcome } from '@campus/identity/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Failure, Input, Reply } from '@kit/contract'
import { publish } from '@kit/server/event'
import { sql } from 'kysely'
import type { z } from 'zod'
import { endActing } from './member.acting.ts'
import { insertMembers } from './member.queries.ts'
import type { Wish } from './member.queries.ts'
import type { IdentityCtx } from './db.ts'
import { directory } from './directory.ts'
import { requireApart } from './duties-apart.ts'
import { changedSpan, newSpan } from './member.days.ts'
import { keepAdministered, requireRole } from './role.access.ts'
import { requireHeld, rightsOf } from './role.rights.ts'
import { revokeIdentities } from './role.sessions.ts'
import { lastDay, schoolDay } from './school-day.ts'
import { super_role } from './standing-code.ts'

type Draft = Input<typeof memberApi.add>
type Outcome = z.output<typeof MemberOutcome>

/**
 * Gives a role to people; each of them gets it or is told why not, and when nobody gets it the call is refused with the first reason.
 * @throws Refusal 404 for a role or people the caller does not reach, 409 alreadyMember, 422 notHeld, roleFixed, roleSynced, memberDates, dutiesApart
 */
export async function addMembers(ctx: IdentityCtx, draft: Draft): Promise<Reply<typeof memberApi.add>> {
  const { db, school_id } = ctx
  const role = await requireGivable(ctx, draft.role_id)
  const span = newSpan(draft, ctx.now)
  const users = [...new Map(draft.users.map(user => [`${user.user_id}/${user.user_dep}`, user])).values()]
  const names = await reachable(ctx, users.map(user => user.user_id))
  const depts = await usableDepts(ctx, users.map(user => user.user_dep))
  const faultOf = ({ user_id, user_dep }: Wish): Failure | null => {
    if (!names.has(user_id)) return identityErrors.memberUnknown
    return depts.has(user_dep) ? null : identityErrors.memberDept
  }
  const given = await insertMembers(db, { school_id, role_id: role.role_id, ...span, reason: draft.reason, by: ctx.me.user_id, now: ctx.now }, users.filter(user => !faultOf(user)))
  const outcomes = users.map(user => {
    const role_no = given.get(`${user.user_id}/${user.user_dep}`) ?? null
    return { user, role_no, fault: faultOf(user) ?? (role_no === null ? identityErrors.alreadyMember : null) }
  })
  const list = outcomes.map(({ user, role_no, fault }): Outcome => ({ user_id: user.user_id, user_name: names.get(user.user_id) ?? null, role_no, error: fault?.msg ?? null }))
  const first = outcomes[0]?.fault
  if (given.size === 0 && first) throw fail(first, { data: { list } })
  await requireApart(ctx)
  const members = outcomes.flatMap(({ user, role_no }) => (role_no === null ? [] : [{ role_no, role_id: role.role_id, user_id: user.user_id }]))
  await publish(ctx, identityEvents.memberStarted, { members })
  const after = { added: given.size, of: users.length, users: list.flatMap(row => (row.error === null ? (row.user_name ?? []) : [])).slice(0, 50), valid_from: schoolDay(span.valid_from), valid_to: lastDay(span.valid_to) }
  ctx.note({ target_kind: 'identity.role', target_id: role.role_id, target_name: role.name, after, ...(draft.reason ? { reason: draft.reason } : {}) })
  return { added: given.size, list }
}

/** A role this identity may give: none of super accounts, none from outside, and nothing it does not hold itself (chapter 10 R7). */
export async function requireGivable(ctx: IdentityCtx, role_id: string) {
  const { db, school_id } = ctx
  await db.selectFrom('role').select('role_id').where('school_id', '=', school_id).where('role_id', '=', role_id).forShare().execute()
  const role = await requireRole(db, school_id, role_id)
  if (role.code === super_role) throw fail(identityErrors.roleFixed)
  if (role.sync_type === 1) throw fail(identityErrors.roleSynced)
  const { codes, scopes } = await rightsOf(db, school_id, role_id)
  await requireHeld(ctx, { codes: [...codes], scopes })
  return role
}

/** Names of those among the people who are here and within the caller's reach. */
export async function reachable(ctx: IdentityCtx, user_ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  ctx.scoped()
  const { users } = await directory.one(ctx.app).covers(ctx)
  const rows = await ctx.db
    .selectFrom('school_user as u')
    .select(['u.user_id', 'u.user_name'])
    .where('u.school_id', '=', ctx.school_id)
    .where('u.left_at', 'is', null)
    .where(sql<boolean>`u.user_id = any(${[...user_ids]}::bigint[])`)
    .$if(users !== 'all', query => query.where(sql<boolean>`u.user_id in (${users})`))
    .execute()
  return new Map(rows.map(row => [row.user_id, row.user_name]))
}

/** Departments under which the caller may give a role: the person's own, and those he reaches. */
async function usableDepts(ctx: IdentityCtx, dept_ids: readonly string[]): Promise<ReadonlySet<string>> {
  const asked = [...new Set(dept_ids)].filter(dept_id => dept_id !== '1')
  if (asked.length === 0) return new Set(['1'])
  const known = directory.one(ctx.app)
  const { depts } = await known.covers(ctx)
  const names = await known.labels(ctx.db, ctx.school_id, asked)
  return new Set(['1', ...asked.filter(dept_id => names.has(dept_id) && (depts === 'all' || depts.has(dept_id)))])
}

/**
 * Changes the days of a membership; who acts for its holder does so no longer than that.
 * @throws Refusal 404, 409 stale, memberEnded, alreadyMember, lastAdmin, 422 ownRole, notHeld, memberBegun, memberDates
 */
export async function updateMember(ctx: IdentityCtx, { role_no, row_version, reason, ...days }: Input<typeof memberApi.update>): Promise<Reply<typeof memberApi.update>> {
  const { db, school_id, me, now } = ctx
  return keepAdministered(ctx, async () => {
    const [had] = await findMembers(ctx, [role_no])
    if (!had) throw fail(commonErrors.notFound)
    if (role_no === me.role_no) throw fail(identityErrors.ownRole)
    await requireGivable(ctx, had.role_id)
    if (had.row_version !== row_version) throw fail(commonErrors.stale)
    const span = changedSpan(had, days, now)
    const changes = { ...span, updated_at: now, updated_by: me.user_id, row_version: row_version + 1, ...(reason === undefined ? {} : { reason }) }
    await db.updateTable('role_member').set(changes).where('school_id', '=', school_id).where('role_no', '=', role_no).execute()
    await endActing(ctx, [had.user_id], me.user_id)
    await requireApart(ctx)
    ctx.note({ target_kind: 'identity.member', target_id: role_no, target_name: had.user_name, before: daysOf(had), after: daysOf(span), ...(reason ? { reason } : {}) })
    return { role_no, ...daysOf(span), row_version: row_version + 1 }
  })
}

/**
 * Ends memberships now, what others hold on behalf of their holders, and the sessions under both; one that has not begun is taken back. Those that are over stay as they are.
 * @throws Refusal 404 for one the school does not have, 409 lastAdmin, 422 ownRole
 */
export async function endMembers(ctx: IdentityCtx, { role_nos, reason }: Input<typeof memberApi.remove>): Promise<Reply<typeof memberApi.remove>> {
  const { db, school_id, me, now } = ctx
  return keepAdministered(ctx, async () => {
    const asked = [...new Set(role_nos)]
    const found = await findMembers(ctx, asked)
    if (found.length < asked.length) throw fail(commonErrors.notFound)
    if (asked.includes(me.role_no)) throw fail(identityErrors.ownRole)
    const open = found.filter(member => member.valid_to === null || member.valid_to > now)
    const [begun, ahead] = [open.filter(member => member.valid_from < now), open.filter(member => member.valid_from >= now)]
    await db
      .updateTable('role_member')
      .set(eb => ({ valid_to: now, updated_at: now, updated_by: me.user_id, row_version: eb('row_version', '+', 1), ...(reason === undefined ? {} : { reason }) }))
      .where('school_id', '=', school_id)
      .where(among(begun))
      .execute()
    await db.deleteFrom('role_member').where('school_id', '=', school_id).where(among(ahead)).execute()
    const sessions = await revokeIdentities(ctx, open.map(member => member.role_no))
    if (open.length > 0) await publish(ctx, identityEvents.memberEnded, { members: open.map(({ role_no, role_id, user_id }) => ({ role_no, role_id, user_id })) })
    const acting = await endActing(ctx, open.map(member => member.user_id), me.user_id)
    const users = open.map(member => `${member.user_name} ${member.role_name}`).slice(0, 50)
    const before = { ended: open.length, users, ...(acting.cut.length > 0 ? { substitutes: acting.cut.length } : {}) }
    ctx.note({ target_kind: 'identity.member', ...(open.length === 1 ? { target_id: asked[0] } : {}), target_name: users[0], before, ...(reason ? { reason } : {}) })
    return { ended: open.length, sessions: sessions + acting.sessions }
  })
}

/** Memberships of the school, with names of person and role. */
export function findMembers({ db, school_id }: IdentityCtx, role_nos: readonly string[]) {
  return db
    .selectFrom('role_member as m')
    .innerJoin('school_user as u', join => join.onRef('u.school_id', '=', 'm.school_id').onRef('u.user_id', '=', 'm.user_id'))
    .innerJoin('role as r', join => join.onRef('r.school_id', '=', 'm.school_id').onRef('r.role_id', '=', 'm.role_id'))
    .select(['m.role_no', 'm.role_id', 'm.user_id', 'm.valid_from', 'm.valid_to', 'm.row_version', 'm.user_dep', 'm.scope_ids', 'm.acted_for', 'u.user_name', 'r.name as role_name'])
    .where('m.school_id', '=', school_id)
    .where('r.is_app', '=', false)
    .where(sql<boolean>`m.role_no = any(${[...role_nos]}::bigint[])`)
    .orderBy('m.role_no')
    .execute()
}

function among(members: readonly { role_no: string }[]) {
  return sql<boolean>`role_no = any(${members.map(member => member.role_no)}::bigint[])`
}

function daysOf({ valid_from, valid_to }: { valid_from: Date; valid_to: Date | null }): { valid_from: string; valid_to: string | null } {
  return { valid_from: schoolDay(valid_from), valid_to: lastDay(valid_to) }
}
