import { accessErrors, most_audited } from '@campus/access/contract'
import type { visitApi, VisitRow } from '@campus/access/contract'
import { commonErrors, fail, Refusal } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import { z } from 'zod'
import type { PassCtx } from '../pass/db.ts'
import { requireReceiver } from './receiver.ts'
import { unseal } from './seal.ts'
import { readVisitorSetting } from './setting.ts'
import { arriveVisit, bookVisit, channels, declareVisit, endVisit, leaveVisit, lockVisit, planEnd, recordStep, requireState, settleSteps, states, stepsDone } from './visit.core.ts'
import type { Visit } from './visit.core.ts'
import { readVisits, requireVisit, visitsSeen } from './visit.queries.ts'

const minute_ms = 60_000
const most_extended = 3
const [by_guard, past_shown, first_step] = [2, 10, 1] as const
const instant = z.date().transform(at => at.toISOString())
const Step = z.object({ step: z.number(), role: z.number(), auditor_name: z.string().nullable(), verdict: z.number(), opinion: z.string().nullable(), at: instant })

function note(ctx: PassCtx, { apply_id, apply_no, visitor_name }: Pick<VisitRow, 'apply_id' | 'apply_no' | 'visitor_name'>): void {
  ctx.note({ target_kind: 'access.visit', target_id: apply_id, target_name: `${visitor_name} ${apply_no}` })
}

/** One visit with its steps, earlier visits of the same visitor, and the doors that know him. @throws Refusal 404 */
export async function visitDetail(ctx: PassCtx, { apply_id }: Input<typeof visitApi.detail>): Promise<Reply<typeof visitApi.detail>> {
  const { db, school_id } = ctx
  const visit = await requireVisit(ctx, apply_id)
  const steps = await sql`
    select u.step::int, u.role::int, l.display_name as auditor_name, u.verdict::int, u.opinion, u.at from visitor_audit u left join person_label l on l.school_id = ${school_id} and l.user_id = u.auditor_user_id
    where u.school_id = ${school_id} and u.apply_id = ${apply_id} order by u.step`.execute(db)
  const past = await readVisits(ctx, sql`a.apply_id <> ${apply_id} and a.visitor_id in (select o.visitor_id from visitor_apply o where o.school_id = ${school_id} and o.apply_id = ${apply_id}) and ${await visitsSeen(ctx)}`, { limit: past_shown })
  const delivery = await sql<{ device_name: string; state: string; reason_text: string | null }>`
    select d.device_name, s.state, s.reason_text from visitor_apply a join sync_person_v s on s.school_id = ${school_id} and s.user_id = a.subject_id
    join device_live_v d on d.school_id = ${school_id} and d.device_id = s.device_id
    where a.school_id = ${school_id} and a.apply_id = ${apply_id} and s.kind = 'person' order by d.device_name`.execute(db)
  return { visit, steps: z.array(Step).parse(steps.rows), past, delivery: delivery.rows }
}

/** A visit registered by a member of the school; at the gate for now. @throws Refusal of the booking, 404 */
export async function createVisit(ctx: PassCtx, draft: Input<typeof visitApi.create>): Promise<Reply<typeof visitApi.create>> {
  const { db, school_id, me } = ctx
  const { student_id } = draft
  const receiver = await requireReceiver(ctx, draft.receiver_user_id)
  const pupil = student_id === null ? true : await db.selectFrom('live_student').select('user_id').where('school_id', '=', school_id).where('user_id', '=', student_id).executeTakeFirst()
  if (!pupil) throw fail(commonErrors.notFound)
  const own = receiver.user_id === me.user_id
  const { apply_id } = await bookVisit(ctx, { ...draft, receiver, begin_at: new Date(draft.begin_at), end_at: new Date(draft.end_at), channel: own ? channels.member : channels.desk })
  ctx.scoped()
  const [visit] = await readVisits(ctx, sql`a.apply_id = ${apply_id}`, { limit: 1 })
  if (!visit) throw fail(commonErrors.notFound)
  note(ctx, visit)
  return { visit }
}

/** A visit of the acting identity's scope, locked, with its line of the log. @throws Refusal 404 */
async function locked(ctx: PassCtx, apply_id: string): Promise<Visit> {
  const seen = await requireVisit(ctx, apply_id)
  note(ctx, seen)
  return lockVisit(ctx, apply_id)
}

/** @throws Refusal visitState, 404 */
export async function cancelVisit(ctx: PassCtx, { apply_id, reason }: Input<typeof visitApi.cancel>): Promise<Record<string, never>> {
  const visit = await locked(ctx, apply_id)
  requireState(visit, [states.waits, states.approved], '取消')
  await endVisit(ctx, visit, 'cancelled', reason)
  return {}
}

/** Gives an approved or present visitor more time, three times at most. @throws Refusal visitState, extendMost, visitOverlap, 404 */
export async function extendVisit(ctx: PassCtx, { apply_id, minutes }: Input<typeof visitApi.extend>): Promise<Record<string, never>> {
  const { db, school_id } = ctx
  const visit = await locked(ctx, apply_id)
  requireState(visit, [states.approved, states.arrived], '延长')
  if (visit.extend_count >= most_extended) throw fail(accessErrors.extendMost)
  const end_at = new Date(Math.max(visit.end_at.getTime(), ctx.now.getTime()) + minutes * minute_ms)
  const { after_min } = await readVisitorSetting(db, school_id)
  await db.updateTable('visitor_apply').set({ end_at, extend_count: visit.extend_count + 1, overdue_at: null, overdue_times: 0, version: visit.version + 1 }).where('school_id', '=', school_id).where('apply_id', '=', apply_id).execute()
  await declareVisit(ctx, { ...visit, end_at, version: visit.version + 1 })
  await planEnd(ctx, apply_id, new Date(end_at.getTime() + after_min * minute_ms))
  return {}
}

/** 到访登记. @throws Refusal visitState, 404 */
export async function registerArrival(ctx: PassCtx, { apply_id }: Input<typeof visitApi.arrive>): Promise<Record<string, never>> {
  const visit = await locked(ctx, apply_id)
  requireState(visit, [states.approved], '登记到访')
  await arriveVisit(ctx, visit)
  return {}
}

/** 离校登记. @throws Refusal visitState, 404 */
export async function registerLeave(ctx: PassCtx, { apply_id }: Input<typeof visitApi.leave>): Promise<Record<string, never>> {
  const visit = await locked(ctx, apply_id)
  requireState(visit, [states.arrived], '登记离校')
  await leaveVisit(ctx, visit, by_guard)
  return {}
}

/** The slip that the gate prints: code and QR of a visit that may still pass. @throws Refusal visitState, 404 */
export async function visitSlip(ctx: PassCtx, { apply_id }: Input<typeof visitApi.slip>): Promise<Reply<typeof visitApi.slip>> {
  const { app, db, school_id } = ctx
  const visit = await requireVisit(ctx, apply_id)
  note(ctx, visit)
  const own = await lockVisit(ctx, apply_id)
  requireState(own, [states.approved, states.arrived], '打印')
  const { school_name } = await db.selectFrom('school_v').select('school_name').where('school_id', '=', school_id).executeTakeFirstOrThrow()
  return { visit, school_name, pass_code: unseal(app, school_id, 'pass_code', own.pass_code_enc), qr: unseal(app, school_id, 'qr', own.qr_enc) }
}

type Verdict = Reply<typeof visitApi.pass>['results'][number]

/** Each of several visits by itself: what one is refused for stands beside it. @throws Refusal 404 when one is out of sight */
async function eachVisit(ctx: PassCtx, apply_ids: readonly string[], act: (visit: Visit, seen: VisitRow) => Promise<void>): Promise<{ results: Verdict[] }> {
  const results: Verdict[] = []
  const seen = new Map((await readVisits(ctx, sql`a.apply_id = any(${[...apply_ids]}::bigint[]) and ${await visitsSeen(ctx)}`, { limit: most_audited })).map(row => [row.apply_id, row]))
  if (new Set(apply_ids).size > seen.size) throw fail(commonErrors.notFound)
  for (const [apply_id, row] of [...seen].toSorted(([a], [b]) => Number(a) - Number(b))) {
    try {
      await act(await lockVisit(ctx, apply_id), row)
      results.push({ apply_id, ok: true, msg: null })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (apply_ids.length === 1) throw error
      results.push({ apply_id, ok: false, msg: error.message })
    }
  }
  ctx.note({ target_kind: 'access.visit', target_name: [...seen.values()].map(row => row.apply_no).join('、').slice(0, 100) })
  return { results }
}

/** 同意: the step that waits is passed; after the last one the visitor is let in. @throws Refusal visitState, 404 */
export function passVisits(ctx: PassCtx, { apply_ids, opinion }: Input<typeof visitApi.pass>): Promise<Reply<typeof visitApi.pass>> {
  return eachVisit(ctx, apply_ids, async visit => {
    requireState(visit, [states.waits], '审核')
    await recordStep(ctx, visit, { ...(await nextStep(ctx, visit)), auditor: ctx.me.user_id, opinion: opinion || null })
    await settleSteps(ctx, visit)
  })
}

async function nextStep(ctx: PassCtx, visit: Visit): Promise<{ step: number; role: number }> {
  const step = (await stepsDone(ctx, visit.apply_id)) + 1
  return { step, role: step === first_step ? 1 : visit.audit_mode }
}

/** 拒绝, with a reason for the gate; the visitor hears only that it did not pass. @throws Refusal visitState, 404 */
export function refuseVisits(ctx: PassCtx, { apply_ids, refuse_reason }: Input<typeof visitApi.refuse>): Promise<Reply<typeof visitApi.refuse>> {
  return eachVisit(ctx, apply_ids, async visit => {
    requireState(visit, [states.waits], '审核')
    await recordStep(ctx, visit, { ...(await nextStep(ctx, visit)), auditor: ctx.me.user_id, verdict: 2, opinion: refuse_reason })
    await endVisit(ctx, visit, 'refused', refuse_reason)
  })
}
