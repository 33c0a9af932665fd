import { leaveErrors, leaveEvents, leave_states, task_states } from '@campus/leave/contract'
import { fail } from '@kit/contract'
import { publish, setTimer } from '@kit/server/event'
import { z } from 'zod'
import { bumpFact, dropSpans, KeptSpans, membersOf, replaceSpans, setState, settleState } from '../apply/store.ts'
import type { Leave } from '../apply/store.ts'
import { askApprovers, sayDecision } from '../apply/words.ts'
import { findOverlap, lockPeople } from '../apply/prepare.ts'
import type { MemberSpans } from '../apply/prepare.ts'
import { planEnding } from '../apply/plan.ts'
import type { Act } from '../db.ts'
import { wantEffects } from '../effect/converge.ts'
import { settleQuota } from '../quota/settle.ts'
import { day_ms } from '../span/measure.ts'
import { liveOnes, PlannedStep } from './approvers.ts'

const Plan = z.array(PlannedStep)
const [all, in_turn] = [2, 3] as const
const [application, change, extension] = [1, 2, 3] as const
const [resolved, fallback] = [1, 6] as const
const minute_ms = 60_000
export const late_kind = 'leave.task_late'
const agreed_before = '已在前序步骤同意'
const agreed_asking = '提交时已同意'

type Version = { version: number; kind: number; plan: PlannedStep[]; spans: KeptSpans; reason: string | null }

/** The version of a leave that waits for a decision. @throws Refusal badState when none does */
export async function openVersion({ db, school_id }: Act, leave_id: string): Promise<Version> {
  const found = await db.selectFrom('leave_version').select(['version', 'kind', 'plan', 'spans', 'reason']).where('school_id', '=', school_id).where('leave_id', '=', leave_id).where('state', '=', 0).executeTakeFirst()
  if (!found) throw fail(leaveErrors.badState)
  return { ...found, plan: Plan.parse(found.plan), spans: KeptSpans.parse(found.spans) }
}

/** Opens the next step that somebody has to decide; without any the leave is agreed to (chapter 70 L4, L5). */
export async function openNext(act: Act, leave: Leave, of: Version, after_seq: number, agreed: ReadonlySet<string>): Promise<void> {
  const consenting = new Set([...agreed, ...(after_seq === 0 ? [leave.apply_by] : [])])
  for (const step of of.plan.filter(one => one.seq > after_seq)) {
    const who = step.assignees.filter(user_id => consenting.has(user_id))
    for (const assignee of who) await addTask(act, leave, of, { ...step, assignee, via: resolved }, after_seq === 0 ? agreed_asking : agreed_before)
    const rest = step.assignees.filter(user_id => !consenting.has(user_id))
    const is_over = rest.length === 0 || (step.mode !== all && step.mode !== in_turn && who.length > 0)
    if (is_over) continue
    const asked = step.mode === in_turn ? rest.slice(0, 1) : rest
    for (const assignee of asked) await addTask(act, leave, of, { ...step, assignee, via: step.is_fallback ? fallback : resolved }, null)
    await act.db.updateTable('leave_apply').set({ cur_seq: step.seq }).where('school_id', '=', act.school_id).where('leave_id', '=', leave.leave_id).execute()
    return askApprovers(act, leave, `${leave.leave_id}:${of.version}:${step.seq}:${asked[0]}`, asked)
  }
  return agree(act, leave, of)
}

type NewTask = Pick<PlannedStep, 'seq' | 'escalate_min'> & { assignee: string; via: number; origin_task?: string }

/** Gives somebody a task; `opinion`: he has agreed already. */
export async function addTask(act: Act, leave: Pick<Leave, 'leave_id'>, of: Pick<Version, 'version'>, { seq, assignee, via, escalate_min, origin_task }: NewTask, opinion: string | null): Promise<void> {
  const { db, school_id, now } = act
  const due_at = new Date(now.getTime() + escalate_min * minute_ms)
  const end = opinion === null ? { state: task_states.open } : { state: task_states.passed, opinion, done_at: now }
  const made = await db
    .insertInto('leave_task')
    .values({ school_id, leave_id: leave.leave_id, version: of.version, seq, assignee, via, origin_task: origin_task ?? null, created_at: now, due_at, ...end })
    .onConflict(clash => clash.constraint('leave_task_once').doNothing())
    .returning('task_id')
    .executeTakeFirst()
  if (!made || opinion !== null) return
  await setTimer(act, { kind: late_kind, ref: made.task_id, due_at })
  await publish(act, leaveEvents.taskCreated, { task_id: made.task_id, leave_id: leave.leave_id })
}

/** After a pass: waits for the others of the step, asks the next of it, or goes on. */
export async function afterPass(act: Act, leave: Leave, seq: number): Promise<void> {
  const { db, school_id } = act
  const of = await openVersion(act, leave.leave_id)
  const step = of.plan.find(one => one.seq === seq)
  const tasks = await db.selectFrom('leave_task').select(['task_id', 'assignee', 'state', 'via']).where('school_id', '=', school_id).where('leave_id', '=', leave.leave_id).where('version', '=', of.version).where('seq', '=', seq).execute()
  const open = tasks.filter(one => one.state === task_states.open)
  const waits_added = open.some(one => one.via === 3)
  if (waits_added || (step?.mode === all && open.length > 0)) return
  if (step?.mode === in_turn) {
    const next = step.assignees.find(user_id => !tasks.some(one => one.assignee === user_id))
    if (open.length > 0) return
    if (next !== undefined) {
      await addTask(act, leave, of, { ...step, assignee: next, via: resolved }, null)
      return askApprovers(act, leave, `${leave.leave_id}:${of.version}:${seq}:${next}`, [next])
    }
  }
  await settleTasks(act, leave.leave_id)
  const passed = new Set(tasks.filter(one => one.state === task_states.passed).map(one => one.assignee))
  return openNext(act, leave, of, seq, passed)
}

/** Open tasks of a leave are somebody else's by now: 失效. */
async function settleTasks({ db, school_id, now }: Act, leave_id: string): Promise<void> {
  await db.updateTable('leave_task').set({ state: task_states.settled, done_at: now }).where('school_id', '=', school_id).where('leave_id', '=', leave_id).where('state', '=', task_states.open).execute()
}

/**
 * The last step has passed: what was asked comes into force.
 * @throws Refusal expired, personGone, overlap: the spans of a change are looked at again now
 */
async function agree(act: Act, leave: Leave, { version, kind, spans, reason }: Version): Promise<void> {
  const { db, school_id, now } = act
  const { leave_id } = leave
  const begin = Math.min(...spans.map(one => Date.parse(one.begin_at)))
  const was_ahead = begin >= leave.submitted_at.getTime()
  if (kind === application && was_ahead && now.getTime() > begin + day_ms) throw fail(leaveErrors.expired)
  const user_ids = [...new Set(spans.map(one => one.user_id))]
  if ((await liveOnes(db, school_id, user_ids)).length < user_ids.length) throw fail(leaveErrors.personGone)
  if (kind !== application) await takeSpans(act, leave, spans)
  const first = { cur_seq: null, decided_at: now }
  if (kind === application) await setState(act, leave_id, leave_states.agreed, first)
  else await db.updateTable('leave_apply').set({ cur_seq: null }).where('school_id', '=', school_id).where('leave_id', '=', leave_id).execute()
  if (kind === extension) await backOut(act, leave_id)
  await db.updateTable('leave_version').set({ state: 1 }).where('school_id', '=', school_id).where('leave_id', '=', leave_id).where('version', '=', version).execute()
  const fact_version = await bumpFact(act, leave_id)
  await wantEffects(act, leave_id)
  await planEnding(act, leave_id)
  await publish(act, kind === application ? leaveEvents.approved : leaveEvents.changed, { leave_id, fact_version })
  await sayDecision(act, leave, `${leave_id}:${version}`, kind === change || kind === extension ? '变更已同意' : '已同意', kind === application ? '' : (reason ?? ''))
}

async function takeSpans(act: Act, { leave_id }: Leave, spans: KeptSpans): Promise<void> {
  const { db, school_id } = act
  const asked: MemberSpans = new Map([...Map.groupBy(spans, one => one.user_id)].map(([user_id, of]) => [user_id, of.map(one => ({ ...one, begin: Date.parse(one.begin_at), end: Date.parse(one.end_at) }))]))
  await lockPeople(db, school_id, [...asked.keys()])
  const no = await findOverlap(db, school_id, asked, leave_id)
  if (no !== null) throw fail(leaveErrors.overlap, { params: { no } })
  await replaceSpans(act, leave_id, spans)
  await settleQuota(act, leave_id)
}

/** Who is late is outside with leave again when it was made longer (chapter 70 §2.1). */
async function backOut(act: Act, leave_id: string): Promise<void> {
  const members = await membersOf(act.db, act.school_id, leave_id)
  if (!members.some(one => one.state === leave_states.overdue)) return
  await act.db.updateTable('leave_member').set({ state: leave_states.out, overdue_at: null }).where('school_id', '=', act.school_id).where('leave_id', '=', leave_id).where('state', '=', leave_states.overdue).execute()
  await settleState(act, leave_id)
}

/** A refusal ends what was asked; of a change only the change, the leave stays as it is. `state` of the leave: refused, or a draft again when it was sent back. */
export async function refuseOpen(act: Act, leave: Leave, state: number, opinion: string): Promise<void> {
  const { db, school_id } = act
  const { version, kind } = await openVersion(act, leave.leave_id)
  await settleTasks(act, leave.leave_id)
  await db.updateTable('leave_version').set({ state: 2 }).where('school_id', '=', school_id).where('leave_id', '=', leave.leave_id).where('version', '=', version).execute()
  await db.updateTable('leave_apply').set({ cur_seq: null }).where('school_id', '=', school_id).where('leave_id', '=', leave.leave_id).execute()
  const verdict = state === leave_states.draft ? '被退回补充' : kind === application ? '未通过' : '变更未通过'
  await sayDecision(act, leave, `${leave.leave_id}:${version}`, verdict, opinion)
  if (kind !== application) return
  await dropSpans(act, leave.leave_id)
  await setState(act, leave.leave_id, state)
  await settleQuota(act, leave.leave_id)
}
