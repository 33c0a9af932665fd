import { conditionText, leaveChannel, leaveErrors, leave_states } from '@campus/leave/contract'
import type { LeaveDraft, LeavePreview, LeaveStateReply, StepShown } from '@campus/leave/contract'
import { commonErrors, fail, Refusal } from '@kit/contract'
import { insertMany } from '@kit/server/db'
import { push } from '@kit/server/realtime'
import { sql } from 'kysely'
import type { Act, Db } from '../db.ts'
import { previewEffects } from '../effect/converge.ts'
import type { LeaveFact } from '../effect/port.ts'
import { liveOnes, resolveApprovers } from '../flow/approvers.ts'
import type { PlannedStep, Subject } from '../flow/approvers.ts'
import { needsStep } from '../flow/flow.ts'
import { openNext } from '../flow/progress.ts'
import { requireRunning } from '../form/version.ts'
import type { RunningForm } from '../form/version.ts'
import { namesOf } from '../people.ts'
import { quotaShort, settleQuota } from '../quota/settle.ts'
import { readSetting } from '../setting.ts'
import { planUndecided } from './plan.ts'
import { checkFit, checkRules, findOverlap, flowFacts, lockPeople, requireReason, resolveSpans } from './prepare.ts'
import type { Asked, MemberSpans } from './prepare.ts'
import { addVersion, draft_no, keptSpans, lockLeave, numberLeave, replaceSpans, setState, stateReply } from './store.ts'

const [oneself, guardian_step, any_of] = [1, 1, 1] as const
const pupil = 1
const usual_escalation_min = 120

/** What is asked for, worked out. */
export type Prepared = Asked & { plan: PlannedStep[] }

/**
 * Works out an application: spans, length, steps with their people.
 * @param apply_as 1 oneself … 6 in bulk
 * @throws Refusal 404, formClosed, typeUnfit, kindUnfit, reasonUnfit, spanOrder, spanLong, noHalf
 */
export async function prepareLeave(act: Act, draft: LeaveDraft, subjects: readonly Subject[], apply_as: number): Promise<Prepared> {
  const { db, school_id, now } = act
  const form = await requireRunning(db, school_id, draft.form_id, now)
  const reason = await requireReason(db, school_id, draft.reason_code)
  if (draft.pickup_id !== undefined) await requirePickup(db, school_id, draft.pickup_id, subjects)
  checkFit({ draft, form, subjects, reason })
  const spans = await resolveSpans(act, subjects, draft.spans)
  const facts = await flowFacts(act, subjects, spans, draft.leave_type)
  const plan = await planSteps(act, form, subjects, facts, apply_as)
  return { draft, form, subjects, spans, facts, reason, plan, setting: await readSetting(db, school_id) }
}

/** A pick-up person is an adult linked to every child. @throws Refusal 404 */
async function requirePickup(db: Db, school_id: number, pickup_id: string, subjects: readonly Subject[]): Promise<void> {
  const { rows } = await sql<{ n: number }>`
    select count(distinct g.student_user_id)::int as n from guardian_span g
    where g.school_id = ${school_id} and g.parent_user_id = ${pickup_id} and g.valid_to is null and g.can_pickup and g.student_user_id = any(${subjects.map(one => one.user_id)}::bigint[])`.execute(db)
  if ((rows[0]?.n ?? 0) < subjects.length) throw fail(commonErrors.notFound)
}

/** The steps that a leave needs, with the people who decide them today; a pupil who asks for himself is confirmed by a guardian first (chapter 70 L4, L7). */
export async function planSteps(act: Pick<Act, 'db' | 'school_id' | 'now'>, { design, person_kind }: Pick<RunningForm, 'design' | 'person_kind'>, subjects: readonly Subject[], facts: Asked['facts'], apply_as: number): Promise<PlannedStep[]> {
  const own = new Set(subjects.map(one => one.user_id))
  const stand_in = (await liveOnes(act.db, act.school_id, design.fallback_user_ids)).filter(user_id => !own.has(user_id))
  const confirm = apply_as === oneself && person_kind === pupil ? [{ mode: any_of, resolver: guardian_step, resolver_ids: [], when: {}, remind_min: 30, escalate_min: usual_escalation_min }] : []
  const plan: PlannedStep[] = []
  for (const step of [...confirm, ...design.steps.filter(one => needsStep(one, facts))]) {
    const found = await resolveApprovers(act, step, subjects)
    const assignees = found.length > 0 ? found : stand_in
    plan.push({ seq: plan.length + 1, mode: step.mode, resolver: step.resolver, why: conditionText(step.when, person_kind), assignees, is_fallback: found.length === 0, escalate_min: step.escalate_min })
  }
  return plan
}

/** The steps with names. */
export async function showSteps(db: Db, school_id: number, plan: readonly PlannedStep[]): Promise<StepShown[]> {
  const names = await namesOf(db, school_id, plan.flatMap(step => step.assignees))
  return plan.map(({ escalate_min: _escalate, assignees, ...step }) => ({ ...step, assignees: assignees.map(user_id => ({ user_id, user_name: names.get(user_id) ?? '' })) }))
}

/** What an application would mean: nothing is written. */
export async function previewLeave(act: Act, prepared: Prepared): Promise<LeavePreview> {
  const { db, school_id } = act
  const { spans, plan, form } = prepared
  const [first = []] = [...spans.values()]
  const sum = (of: (one: (typeof first)[number]) => number) => first.reduce((total, one) => total + of(one), 0)
  return {
    minutes: sum(one => one.minutes), school_days: sum(one => one.school_days), lessons: sum(one => one.lessons),
    spans: first.map(one => ({ begin_at: new Date(one.begin).toISOString(), end_at: new Date(one.end).toISOString() })),
    overlap: await findOverlap(db, school_id, spans, null),
    refusal: refusalOf(prepared, act.now) ?? (await quotaShort(act, { quota_code: form.design.quota_code, leave_type: prepared.draft.leave_type }, form.person_kind, spans))?.message ?? null,
    steps: await showSteps(db, school_id, plan),
    no_approval: plan.length === 0 && form.design.no_approval,
    effects: await previewEffects(act, factAsked(prepared)),
  }
}

function refusalOf(prepared: Prepared, now: Date): string | null {
  try {
    checkRules(prepared, now)
    return null
  } catch (cause) {
    if (cause instanceof Refusal) return cause.message
    throw cause
  }
}

/** The fact that would be in force. */
export function factAsked({ draft, form: { person_kind, design }, spans }: Pick<Prepared, 'draft' | 'form' | 'spans'>): LeaveFact {
  const members = [...spans].map(([user_id, of]) => ({ user_id, spans: of.map(({ begin, end }, at) => ({ no: at + 1, begin_at: new Date(begin), end_at: new Date(end) })) }))
  const { leave_type, reason_code, pickup_id = null, exit_mode = design.exit_mode } = draft
  return { leave_id: '0', fact_version: 0, person_kind, leave_type, reason_code, exit_mode, meal: design.meal, bus: design.bus, pickup_id, members }
}

/**
 * Sends an application: it is checked, written with its steps frozen, and the first who decide are asked.
 * @throws Refusal as `prepareLeave` and `checkRules`, overlap, flowGap where nobody decides
 */
export async function submitLeave(act: Act, prepared: Prepared, apply_as: number): Promise<LeaveStateReply & { leave_no: string }> {
  const { db, school_id, now } = act
  const { draft, spans, plan, form, subjects, facts } = prepared
  checkRules(prepared, now)
  const is_open = plan.length === 0 ? !form.design.no_approval : plan.some(step => step.assignees.length === 0)
  if (is_open) throw fail(leaveErrors.flowGap, { params: { type: '', length: '该时长' } })
  await lockPeople(db, school_id, subjects.map(one => one.user_id))
  await refuseOverlap(db, school_id, spans)
  const { leave_id, leave_no } = await insertLeave(act, prepared, apply_as)
  await insertMany(db, 'leave_member', subjects.map(({ user_id, dept_id }) => ({ school_id, leave_id, user_id, dept_id, state: leave_states.asked })))
  const kept = keptSpans(spans)
  await replaceSpans(act, leave_id, kept)
  const version = await addVersion(act, leave_id, { kind: 1, spans: kept, plan, reason: null, state: 0 })
  await settleQuota(act, leave_id)
  await push(act, leaveChannel, [{ leave_id }])
  if (draft.prev_leave_id !== undefined) await closeFormer(act, draft.prev_leave_id)
  const leave = await lockLeave(db, school_id, leave_id)
  await openNext(act, leave, { version, kind: 1, plan, spans: kept, reason: null }, 0, new Set())
  if (facts.minutes > 0) await planUndecided(act, leave_id, Math.min(...[...spans.values()].flat().map(one => one.begin)))
  return { ...(await stateReply(db, school_id, leave_id)), leave_no }
}

/** @throws Refusal overlap with the number of the other leave */
export async function refuseOverlap(db: Db, school_id: number, spans: MemberSpans, but_leave_id: string | null = null): Promise<void> {
  const no = await findOverlap(db, school_id, spans, but_leave_id)
  if (no === null) return
  const msg = leaveErrors.overlap.msg.replace('{no}', no)
  throw fail(leaveErrors.overlap, { params: { no }, errors: [{ field: 'spans', msg }] })
}

async function insertLeave({ db, school_id, now, by }: Act, { draft, form, subjects }: Prepared, apply_as: number): Promise<{ leave_id: string; leave_no: string }> {
  const { design } = form
  const { spans: _spans, user_ids: _users, exit_mode = design.exit_mode, dest = null, contact_mobile = null, pickup_id = null, prev_leave_id = null, form_id: _form, ...asked } = draft
  const made = await db
    .insertInto('leave_apply')
    .values({
      school_id, ...asked, form_id: form.form_id, form_version: form.version, person_kind: form.person_kind, leave_no: draft_no,
      exit_mode, dest, contact_mobile, pickup_id, prev_leave_id, meal: design.meal, bus: design.bus, auto_return: design.auto_return, late_grace_min: design.late_grace_min,
      group_leave: subjects.length > 1, members: subjects.length, state: leave_states.asked, apply_by: by?.user_id ?? '0', apply_as, submitted_at: now,
    })
    .returning('leave_id')
    .executeTakeFirstOrThrow()
  const leave_no = await numberLeave({ db, school_id, now }, made.leave_id)
  return { leave_id: made.leave_id, leave_no }
}

/** The application that was sent back ends with the new one. @throws Refusal 404, badState */
async function closeFormer(act: Act, leave_id: string): Promise<void> {
  const former = await lockLeave(act.db, act.school_id, leave_id)
  if (former.apply_by !== act.by?.user_id) throw fail(commonErrors.notFound)
  if (former.state !== leave_states.draft) throw fail(leaveErrors.badState)
  await setState(act, leave_id, leave_states.withdrawn)
}
