import { tellOwnRights } from '@campus/identity/server'
import { most_delegate_days, peopleErrors, peopleEvents } from '@campus/people/contract'
import type { delegateApi } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { publish } from '@kit/server/event'
import { addDays, schoolDay, schoolTime } from '../day.ts'
import type { PeopleCtx } from '../db.ts'
import { labelsOn, requireDept } from '../dept.service.ts'
import { deptScope } from '../scope.ts'
import { lockPeople } from '../student-file.queries.ts'
import { declareDelegations } from './delegate.declare.ts'
import { actingNow, delegationsOf, hasDuty, lockDelegation, staffAmong } from './delegate.queries.ts'

const target_kind = 'people.delegate_dept'
const end_of_day = '00:00'

/** Delegations of the school, or those from and to oneself for an identity that does not see all of it. */
export async function listDelegations(ctx: PeopleCtx, { state, page_index, page_size }: Input<typeof delegateApi.list>): Promise<Reply<typeof delegateApi.list>> {
  const whose = (await seesAll(ctx)) ? null : ctx.me.user_id
  const { rows, total } = await delegationsOf(ctx, { whose, state, page_index, page_size })
  const labels = await labelsOn(ctx, rows.map(row => row.dept_id), schoolDay(ctx.now))
  const list = rows.map(({ valid_from, valid_to, revoked_at, ...row }) => ({
    ...row, dept_name: labels.get(row.dept_id) ?? '', valid_from: schoolDay(valid_from), valid_to: lastDay(valid_to), revoked_at: revoked_at?.toISOString() ?? null,
  }))
  return { list, total }
}

/** What the acting person acts for at this moment, for the top bar. */
export async function listMine(ctx: PeopleCtx): Promise<Reply<typeof delegateApi.mine>> {
  const rows = await actingNow(ctx, ctx.me.user_id)
  const labels = await labelsOn(ctx, rows.map(row => row.dept_id), schoolDay(ctx.now))
  return { list: rows.map(({ id, dept_id, from_user_name, valid_to }) => ({ id, dept_id, from_user_name, dept_name: labels.get(dept_id) ?? '', valid_to: lastDay(valid_to) })) }
}

/**
 * Lets somebody act for a department from now or a coming day to the end of another. Whoever does not see the whole school delegates on his own
 * behalf alone, and only what he leads by a duty: what was delegated to him is none, so that nothing is passed on.
 * @throws Refusal 404 for a department outside the scope, 403 delegateDuty, 422 for the days and the people, 409 delegateTaken
 */
export async function addDelegation(ctx: PeopleCtx, draft: Input<typeof delegateApi.add>): Promise<Reply<typeof delegateApi.add>> {
  const { db, school_id, now, me } = ctx
  const { dept_id, to_user_id, from_user_id = me.user_id } = draft
  const sees_all = await seesAll(ctx)
  await requireDept(ctx, dept_id)
  if (!sees_all && (from_user_id !== me.user_id || !(await hasDuty(ctx, me.user_id, dept_id)))) throw fail(peopleErrors.delegateDuty)
  if (from_user_id === to_user_id) throw fail(peopleErrors.delegateSelf, at('to_user_id', peopleErrors.delegateSelf.msg))
  const span = spanOf(draft, now)
  await lockPeople(db, school_id, [from_user_id, to_user_id])
  const staff = await staffAmong(ctx, [from_user_id, to_user_id])
  if (staff.length < 2) throw fail(peopleErrors.delegateStaff, at(staff.includes(from_user_id) ? 'to_user_id' : 'from_user_id', peopleErrors.delegateStaff.msg))
  const row = { school_id, dept_id, from_user_id, to_user_id, ...span, reason: draft.reason || null, created_by: me.user_id }
  const made = await db.insertInto('delegate_dept').values(row).returning(['id', 'row_version']).executeTakeFirstOrThrow()
  await settle(ctx, { id: made.id, to_user_id })
  const names = await labelsOn(ctx, [dept_id], schoolDay(now))
  ctx.note({ target_kind, target_id: made.id, target_name: `委托 ${names.get(dept_id) ?? ''}`, after: { ...draft, from_user_id }, ...(draft.reason ? { reason: draft.reason } : {}) })
  return made
}

/**
 * Ends a delegation earlier: on a day, or at once.
 * @throws Refusal 404 for one that is not the caller's to change, 409 when it is over or was changed, 422 delegateLonger
 */
export async function updateDelegation(ctx: PeopleCtx, { id, row_version, valid_to }: Input<typeof delegateApi.update>): Promise<Reply<typeof delegateApi.update>> {
  const { db, school_id, now, me } = ctx
  const sees_all = await seesAll(ctx)
  const row = await lockDelegation(ctx, id)
  if (!row || (!sees_all && row.from_user_id !== me.user_id)) throw fail(commonErrors.notFound)
  if (row.status !== 'active' || row.valid_to <= now || row.row_version !== row_version) throw fail(peopleErrors.delegateOver)
  await lockPeople(db, school_id, [row.to_user_id])
  const change = valid_to === undefined ? { status: 'revoked', revoked_at: now, revoked_by: me.user_id } : { valid_to: shorter(row, valid_to, now) }
  const next = row_version + 1
  await db.updateTable('delegate_dept').set({ ...change, row_version: next }).where('school_id', '=', school_id).where('id', '=', id).execute()
  await settle(ctx, row)
  ctx.note({ target_kind, target_id: id, before: { valid_to: lastDay(row.valid_to) }, after: valid_to === undefined ? { status: 'revoked' } : { valid_to } })
  return { id, row_version: next }
}

/** The new end. @throws Refusal 422 when it lies in the past or is no earlier one */
function shorter(row: { valid_from: Date; valid_to: Date }, day: string, now: Date): Date {
  const until = schoolTime(addDays(day, 1), end_of_day)
  if (until >= row.valid_to) throw fail(peopleErrors.delegateLonger, at('valid_to', peopleErrors.delegateLonger.msg))
  if (until <= now || until <= row.valid_from) throw fail(peopleErrors.delegatePast, at('valid_to', peopleErrors.delegatePast.msg))
  return until
}

/** First and last instant of a draft; today begins now. @throws Refusal 422 */
function spanOf({ valid_from, valid_to }: { valid_from?: string | undefined; valid_to: string }, now: Date): { valid_from: Date; valid_to: Date } {
  const today = schoolDay(now)
  const first = valid_from ?? today
  if (first < today) throw fail(peopleErrors.delegatePast, at('valid_from', peopleErrors.delegatePast.msg))
  if (valid_to < first) throw fail(peopleErrors.delegateEnd, at('valid_to', peopleErrors.delegateEnd.msg))
  if (addDays(first, most_delegate_days) <= valid_to) throw fail(peopleErrors.delegateDays, at('valid_to', peopleErrors.delegateDays.msg))
  return { valid_from: first === today ? now : schoolTime(first, '00:00'), valid_to: schoolTime(addDays(valid_to, 1), end_of_day) }
}

async function settle(ctx: PeopleCtx, { id, to_user_id }: { id: string; to_user_id: string }): Promise<void> {
  await declareDelegations(ctx.db, ctx.school_id, [to_user_id])
  await tellOwnRights(ctx.db, ctx.school_id, [to_user_id])
  await publish(ctx, peopleEvents.delegationChanged, { delegation_ids: [id] })
}

async function seesAll(ctx: PeopleCtx): Promise<boolean> {
  return (await deptScope(ctx, 'student')) === 'all'
}

/** The last day of an end that is exclusive. */
function lastDay(valid_to: Date): string {
  return schoolDay(new Date(valid_to.getTime() - 1))
}

function at(field: string, msg: string) {
  return { errors: [{ field, msg }] }
}
