import { leaveErrors, leaveEvents, leave_states } from '@campus/leave/contract'
import type { AskedSpan, LeaveStateReply } from '@campus/leave/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Failure } from '@kit/contract'
import { publish } from '@kit/server/event'
import type { Act } from '../db.ts'
import { factOf, guardReturn, wantEffects } from '../effect/converge.ts'
import { openNext, refuseOpen } from '../flow/progress.ts'
import { designOf } from '../form/version.ts'
import { requireSubjects } from '../people.ts'
import { quotaShort, settleQuota } from '../quota/settle.ts'
import { readSetting } from '../setting.ts'
import { day_ms } from '../span/measure.ts'
import { planEnding } from './plan.ts'
import { flowFacts, lockPeople, resolveSpans } from './prepare.ts'
import { addVersion, bumpFact, dropSpans, keptSpans, membersOf, setState, settleState, spansOf, stateReply } from './store.ts'
import type { KeptSpans, Leave, Member, SpanRow } from './store.ts'
import { planSteps, refuseOverlap } from './submit.ts'

const { draft, asked, agreed, out, back, overdue, ended, withdrawn } = leave_states
const in_force: readonly number[] = [agreed, out, back, overdue]
const [change_kind, extension_kind, ended_early, early_return, voided] = [2, 3, 4, 5, 6] as const
export const [by_gate, by_hand, at_end] = [1, 2, 5] as const

type Reason = { reason?: string | undefined }

/** Takes back what waits for a decision: the whole application, or the change of a leave that stays. @throws Refusal badState */
export async function withdrawLeave(act: Act, leave: Leave, { reason = '' }: Reason): Promise<LeaveStateReply> {
  const { db, school_id } = act
  if (leave.state === draft) await setState(act, leave.leave_id, withdrawn)
  else await refuseOpen(act, leave, withdrawn, reason)
  return stateReply(db, school_id, leave.leave_id)
}

/** Cancels a leave that has not begun: nothing is in force any more. @throws Refusal started, badState */
export async function cancelLeave(act: Act, leave: Leave, { reason = '' }: Reason): Promise<LeaveStateReply> {
  const { db, school_id, now } = act
  require(leave, [agreed], leaveErrors.badState)
  const spans = await spansOf(db, school_id, leave.leave_id)
  if (spans.some(one => one.begin_at <= now)) throw fail(leaveErrors.started)
  await endChange(act, leave)
  await emptyFact(act, leave, { reason, kind: ended_early })
  return stateReply(db, school_id, leave.leave_id)
}

/** Makes a leave as if it had never been; the past is worked out anew, both versions are kept. @throws Refusal voidLate, badState */
export async function voidLeave(act: Act, leave: Leave, { reason = '' }: Reason): Promise<LeaveStateReply> {
  const { db, school_id, now } = act
  require(leave, [...in_force, ended], leaveErrors.badState)
  const { void_days } = await readSetting(db, school_id)
  if (leave.decided_at !== null && now.getTime() - leave.decided_at.getTime() > void_days * day_ms) throw fail(leaveErrors.voidLate)
  await endChange(act, leave)
  await emptyFact(act, leave, { reason, kind: voided })
  return stateReply(db, school_id, leave.leave_id)
}

async function emptyFact(act: Act, leave: Leave, { reason, kind }: { reason: string; kind: number }): Promise<void> {
  const { leave_id } = leave
  await addVersion(act, leave_id, { kind, spans: [], reason: reason || null, state: 1 })
  await dropSpans(act, leave_id)
  await setState(act, leave_id, withdrawn, { ended_by: act.by?.user_id ?? null, ...(kind === voided ? { void_reason: reason } : {}) })
  await settleQuota(act, leave_id)
  const fact_version = await bumpFact(act, leave_id)
  await wantEffects(act, leave_id)
  await publish(act, leaveEvents.cancelled, { leave_id, fact_version })
}

/** A change that still waits ends with the leave. */
async function endChange(act: Act, leave: Leave): Promise<void> {
  if (await hasOpen(act, leave.leave_id)) await refuseOpen(act, leave, withdrawn, '')
}

async function hasOpen({ db, school_id }: Act, leave_id: string): Promise<boolean> {
  const open = await db.selectFrom('leave_version').select('version').where('school_id', '=', school_id).where('leave_id', '=', leave_id).where('state', '=', 0).executeTakeFirst()
  return open !== undefined
}

/**
 * Asks for other times; until the new ones are agreed to the old ones stay in force (chapter 70 §1.1 leave_version).
 * @throws Refusal changing, endPast, needExtension, overlap, badState
 */
export async function changeLeave(act: Act, leave: Leave, { spans: wanted, reason }: { spans: AskedSpan[]; reason: string }, is_extension: boolean): Promise<LeaveStateReply> {
  const { db, school_id, now } = act
  const { leave_id } = leave
  require(leave, in_force, leaveErrors.badState)
  if (await hasOpen(act, leave_id)) throw fail(leaveErrors.changing)
  const members = await membersOf(db, school_id, leave_id)
  const subjects = await requireSubjects(db, school_id, members.map(one => one.user_id), null)
  const spans = await resolveSpans(act, subjects, wanted)
  const last = lastEnd(await spansOf(db, school_id, leave_id))
  const end = Math.max(...[...spans.values()].flat().map(one => one.end))
  if (end < now.getTime()) throw at('spans', leaveErrors.endPast)
  if (is_extension && end <= last) throw at('spans', leaveErrors.needExtension)
  await lockPeople(db, school_id, subjects.map(one => one.user_id))
  await refuseOverlap(db, school_id, spans, leave_id)
  const design = await designOf(db, school_id, leave.form_id, leave.form_version)
  const short = await quotaShort(act, { quota_code: design.quota_code, leave_type: leave.leave_type }, leave.person_kind, spans, leave_id)
  if (short !== null) throw short
  const facts = await flowFacts(act, subjects, spans, leave.leave_type)
  const plan = await planSteps(act, { design, person_kind: leave.person_kind }, subjects, facts, leave.apply_as)
  const asked_spans = keptSpans(spans)
  const kind = is_extension ? extension_kind : change_kind
  const version = await addVersion(act, leave_id, { kind, spans: asked_spans, plan, reason, state: 0 })
  await openNext(act, { ...leave, apply_by: act.by?.user_id ?? leave.apply_by }, { version, kind, plan, spans: asked_spans, reason }, 0, new Set())
  return stateReply(db, school_id, leave_id)
}

/** Ends a leave before its time; making it shorter needs no decision. @throws Refusal endPast, needShorter, badState */
export async function endEarly(act: Act, leave: Leave, { end, reason = '' }: { end: string } & Reason): Promise<LeaveStateReply> {
  const { db, school_id, now } = act
  require(leave, in_force, leaveErrors.badState)
  const at_ms = Date.parse(end)
  const spans = await spansOf(db, school_id, leave.leave_id)
  if (at_ms < now.getTime() - 60_000) throw at('end', leaveErrors.endPast)
  if (at_ms >= lastEnd(spans)) throw at('end', leaveErrors.needShorter)
  if (spans.every(one => one.begin_at.getTime() >= at_ms)) throw fail(leaveErrors.notBegun)
  await endChange(act, leave)
  await cutSpans(act, leave, { at: new Date(at_ms), user_ids: null, kind: ended_early, reason })
  return stateReply(db, school_id, leave.leave_id)
}

type Back = { user_ids?: string[] | undefined; at: Date; basis: number }

/**
 * Somebody is back: his leave ends now where it would have gone on (chapter 70 L8, L12).
 * @throws Refusal notBegun, badState, healthOpen; 404 for somebody who is no member
 */
export async function returnMembers(act: Act, leave: Leave, { user_ids, at: when, basis }: Back): Promise<LeaveStateReply> {
  const { app, db, school_id, now } = act
  const { leave_id } = leave
  const members = await membersOf(db, school_id, leave_id)
  if (user_ids?.some(user_id => !members.some(one => one.user_id === user_id))) throw fail(commonErrors.notFound)
  const chosen = members.filter(one => (user_ids === undefined || user_ids.includes(one.user_id)) && in_force.includes(one.state))
  if (chosen.length === 0) throw fail(leaveErrors.badState)
  const spans = (await spansOf(db, school_id, leave_id)).filter(one => chosen.some(member => member.user_id === one.user_id))
  if (spans.every(one => one.begin_at > now) || when > now) throw fail(leaveErrors.notBegun)
  await guardReturn({ app, db, school_id, now }, await factOf(db, school_id, leave_id))
  await closeMembers(act, leave_id, chosen, { at: when, basis })
  const ids = chosen.map(one => one.user_id)
  if (spans.some(one => one.end_at > when)) await cutSpans(act, leave, { at: when, user_ids: ids, kind: early_return, reason: '' })
  if ((await settleState(act, leave_id)) === ended) await finish(act, leave_id)
  return stateReply(db, school_id, leave_id)
}

async function closeMembers({ db, school_id }: Act, leave_id: string, members: readonly Member[], { at: when, basis }: { at: Date; basis: number }): Promise<void> {
  const user_ids = members.map(one => one.user_id)
  const set = { state: ended, back_at: when, back_basis: basis }
  await db.updateTable('leave_member').set(set).where('school_id', '=', school_id).where('leave_id', '=', leave_id).where('user_id', 'in', user_ids).execute()
}

/** The leave is over for everybody. */
export async function finish(act: Act, leave_id: string): Promise<void> {
  const { fact_version } = await act.db.selectFrom('leave_apply').select('fact_version').where('school_id', '=', act.school_id).where('leave_id', '=', leave_id).executeTakeFirstOrThrow()
  await publish(act, leaveEvents.finished, { leave_id, fact_version })
}

type Cut = { at: Date; user_ids: string[] | null; kind: number; reason: string }

/** Cuts spans at an instant: what lies behind it is gone, the one that it lies in ends there, measured anew. */
async function cutSpans(act: Act, leave: Leave, { at: when, user_ids, kind, reason }: Cut): Promise<void> {
  const { db, school_id } = act
  const { leave_id } = leave
  const before = await spansOf(db, school_id, leave_id)
  const is_cut = (one: SpanRow) => (user_ids === null || user_ids.includes(one.user_id)) && one.end_at > when
  for (const one of before.filter(is_cut)) {
    const key = db.updateTable('leave_span').where('school_id', '=', school_id).where('leave_id', '=', leave_id).where('user_id', '=', one.user_id).where('no', '=', one.no)
    const [subject] = one.begin_at >= when ? [] : await requireSubjects(db, school_id, [one.user_id], null)
    if (!subject) {
      await key.set({ live: false }).execute()
      continue
    }
    const [cut] = (await resolveSpans(act, [subject], [{ begin: one.begin_at.toISOString(), end: when.toISOString() }])).get(one.user_id) ?? []
    if (cut) await key.set({ end_at: when, minutes: cut.minutes, school_days: String(cut.school_days), lessons: cut.lessons }).execute()
  }
  await addVersion(act, leave_id, { kind, spans: kept(await spansOf(db, school_id, leave_id)), reason: reason || null, state: 1 })
  await settleQuota(act, leave_id)
  const fact_version = await bumpFact(act, leave_id)
  await wantEffects(act, leave_id)
  await planEnding(act, leave_id)
  await publish(act, leaveEvents.changed, { leave_id, fact_version })
}

function kept(spans: readonly SpanRow[]): KeptSpans {
  return spans.map(({ user_id, begin_at, end_at, minutes, school_days, lessons }) => ({ user_id, begin_at: begin_at.toISOString(), end_at: end_at.toISOString(), minutes, school_days: Number(school_days), lessons }))
}

function lastEnd(spans: readonly SpanRow[]): number {
  return Math.max(...spans.map(one => one.end_at.getTime()))
}

function require(leave: Leave, states: readonly number[], failure: Failure): void {
  if (!states.includes(leave.state)) throw fail(leave.state === asked ? leaveErrors.badState : failure)
}

function at(field: string, failure: Failure) {
  return fail(failure, { errors: [{ field, msg: failure.msg }] })
}
