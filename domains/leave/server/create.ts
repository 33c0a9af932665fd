import { addDays } from '@campus/calendar/contract'
import { FormDesign, leave_states, task_states } from '@campus/leave/contract'
import { asTables, insertMany, insertReturning } from '@kit/server/db'
import type { App } from '@kit/server/http'
import type { QueryExecutorProvider } from 'kysely'
import { planEnding } from './apply/plan.ts'
import { numberLeave } from './apply/store.ts'
import { submitLeave, prepareLeave } from './apply/submit.ts'
import type { Act, LeaveDb } from './db.ts'
import { convergeEffects, wantEffects } from './effect/converge.ts'
import { requireSubjects } from './people.ts'
import { loadDays } from './span/days.ts'
import { dateAt, measureSpan } from './span/measure.ts'
import type { DayPlan } from './span/measure.ts'

type PlannedReason = { reason_code: string; reason_name: string; person_kinds: number[]; leave_types?: string[]; need_health?: boolean; need_pickup?: boolean }
type PlannedForm = { form_name: string; person_kind: number; design: Partial<FormDesign> & Pick<FormDesign, 'leave_types' | 'steps' | 'fallback_user_ids'> }
/** A leave with how it stands; `waits`: it is sent now and waits for whoever its form names. Times are instants. */
type PlannedLeave = {
  form_name: string; user_id: string; leave_type: string; reason_code: string; reason: string; begin: string; end: string
  apply_by: { user_id: string; user_name: string }; apply_as: number; waits?: true; decided_by?: string; state?: number; out_at?: string; back_at?: string
}
/** Everything of leave in a school, at once. */
export type LeavePlan = { reasons: readonly PlannedReason[]; forms: readonly PlannedForm[]; leaves: readonly PlannedLeave[]; from: Date }
type Place = { app: App; db: QueryExecutorProvider; school_id: number; now: Date }

const usual: Omit<FormDesign, 'leave_types' | 'steps' | 'fallback_user_ids'> = {
  unit: 3, min_minutes: 30, max_minutes: 30 * 1440, advance_min: 0, backdate_days: 3, exit_mode: 1, meal: true, bus: true, auto_return: true, late_grace_min: 60, attach_from_days: null, quota_code: null, no_approval: false,
}
const counted: readonly number[] = [leave_states.agreed, leave_states.out, leave_states.overdue]

/** Fills a school: reasons, forms with a published version, leaves in every state. Past ones are over with everything that followed from them. */
export async function createLeaves({ app, db: handle, school_id, now }: Place, { reasons, forms, leaves, from }: LeavePlan): Promise<void> {
  const db = asTables<LeaveDb>(handle)
  await insertMany(db, 'leave_reason', reasons.map((one, at) => ({ school_id, show_order: at + 1, leave_types: [], need_health: false, need_pickup: false, need_attach: false, status: 1, ...one })))
  const form_ids = new Map<string, string>()
  for (const { form_name, person_kind, design: own } of forms) {
    const design = JSON.stringify(FormDesign.parse({ ...usual, ...own }))
    const { form_id } = await db.insertInto('leave_form').values({ school_id, form_name, person_kind, status: 1, current_version: 1, draft: design, updated_at: from }).returning('form_id').executeTakeFirstOrThrow()
    await db.insertInto('leave_form_version').values({ school_id, form_id, version: 1, effective_from: from, design, published_at: from }).execute()
    form_ids.set(form_name, form_id)
  }
  const act: Act = { app, db, school_id, now, by: null }
  await enterPast(act, leaves.filter(one => !one.waits), form_ids)
  for (const one of leaves.filter(each => each.waits)) await sendNow({ ...act, by: one.apply_by }, one, form_ids.get(one.form_name) ?? '')
}

async function sendNow(act: Act, { user_id, leave_type, reason_code, reason, begin, end, apply_as }: PlannedLeave, form_id: string): Promise<void> {
  const subjects = await requireSubjects(act.db, act.school_id, [user_id], null)
  const draft = { form_id, leave_type, reason_code, reason, spans: [{ begin, end }], user_ids: [user_id], attach_keys: [] }
  await submitLeave(act, await prepareLeave(act, draft, subjects, apply_as), apply_as)
}

async function enterPast(act: Act, leaves: readonly PlannedLeave[], form_ids: ReadonlyMap<string, string>): Promise<void> {
  const { db, school_id } = act
  if (leaves.length === 0) return
  const subjects = new Map((await requireSubjects(db, school_id, leaves.map(one => one.user_id), null)).map(one => [one.user_id, one]))
  const [first, last] = [leaves.map(one => one.begin).toSorted()[0] ?? '', leaves.map(one => one.end).toSorted().at(-1) ?? '']
  const plans = new Map<string, Map<string, DayPlan>>()
  const measured = []
  for (const one of leaves) {
    const grade = subjects.get(one.user_id)?.grade ?? null
    const days = plans.get(grade ?? '') ?? (await loadDays(db, school_id, grade, dateAt(Date.parse(first)), addDays(dateAt(Date.parse(last)), 1)))
    plans.set(grade ?? '', days)
    const span = { begin: Date.parse(one.begin), end: Date.parse(one.end) }
    measured.push({ ...one, dept_id: subjects.get(one.user_id)?.dept_id ?? null, person_kind: subjects.get(one.user_id)?.person_kind ?? 1, ...measureSpan(span, [...days.values()].filter(day => day.date >= dateAt(span.begin) && day.date <= dateAt(span.end))) })
  }
  const ids = await insertReturning(db, 'leave_apply', measured.map((one, at) => ({
    school_id, leave_no: `N${at}`, person_kind: one.person_kind, form_id: form_ids.get(one.form_name), form_version: 1, leave_type: one.leave_type, reason_code: one.reason_code, reason: one.reason,
    attach_keys: [], exit_mode: 1, meal: true, bus: true, auto_return: true, late_grace_min: 60, group_leave: false, members: 1, state: one.state ?? leave_states.ended, fact_version: 1,
    apply_by: one.apply_by.user_id, apply_as: one.apply_as, submitted_at: askedAt(one.begin), decided_at: askedAt(one.begin), row_version: 1,
  })), 'leave_id')
  const made = measured.map((one, at) => ({ ...one, leave_id: ids[at] ?? '' }))
  await insertMany(db, 'leave_member', made.map(one => ({ school_id, leave_id: one.leave_id, user_id: one.user_id, dept_id: one.dept_id, state: one.state ?? leave_states.ended, out_at: one.out_at ?? null, back_at: one.back_at ?? (one.state === undefined ? one.end : null), back_basis: one.back_at ? 1 : one.state === undefined ? 5 : null, overdue_at: one.state === leave_states.overdue ? one.end : null })))
  await insertMany(db, 'leave_span', made.map(one => ({ school_id, leave_id: one.leave_id, user_id: one.user_id, no: 1, begin_at: one.begin, end_at: one.end, asked_begin_at: one.begin, asked_end_at: one.end, live: true, minutes: one.minutes, school_days: one.school_days, lessons: one.lessons })))
  await insertMany(db, 'leave_version', made.map(one => ({ school_id, leave_id: one.leave_id, version: 1, kind: 1, plan: '[]', by_user_id: one.apply_by.user_id, state: 1, at: askedAt(one.begin), spans: JSON.stringify([{ user_id: one.user_id, begin_at: one.begin, end_at: one.end, minutes: one.minutes, school_days: one.school_days, lessons: one.lessons }]) })))
  await insertMany(db, 'leave_task', made.filter(one => one.decided_by !== undefined).map(one => ({ school_id, leave_id: one.leave_id, version: 1, seq: 1, assignee: one.decided_by, via: 1, state: task_states.passed, created_at: askedAt(one.begin), due_at: askedAt(one.begin), done_at: askedAt(one.begin) })))
  for (const one of made) await numberLeave({ db, school_id, now: new Date(one.begin) }, one.leave_id)
  for (const one of made.filter(each => counted.includes(each.state ?? leave_states.ended))) await followNow(act, one.leave_id)
}

async function followNow(act: Act, leave_id: string): Promise<void> {
  await wantEffects(act, leave_id)
  await convergeEffects(act, leave_id)
  await planEnding(act, leave_id)
}

/** An hour before it begins. */
function askedAt(begin: string): string {
  return new Date(Date.parse(begin) - 3_600_000).toISOString()
}
