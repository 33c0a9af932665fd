import { leaveErrors, leaveEvents, leave_states, task_states } from '@campus/leave/contract'
import type { LeaveStateReply, taskApi } from '@campus/leave/contract'
import { commonErrors, fail, Refusal } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { publish } from '@kit/server/event'
import { sql } from 'kysely'
import { lockLeave, membersOf, stateReply } from '../apply/store.ts'
import type { Leave } from '../apply/store.ts'
import { askApprovers } from '../apply/words.ts'
import { actOf } from '../db.ts'
import type { Act, LeaveCtx } from '../db.ts'
import { addTask, afterPass, openVersion, refuseOpen } from '../flow/progress.ts'
import { namesOf } from '../people.ts'

type Verdict = { task_id: string; opinion?: string | undefined; version: number }
type Task = { task_id: string; leave_id: string; version: number; seq: number; assignee: string }
const [transferred, added] = [2, 3] as const

/**
 * The open task of the caller with its leave, both taken for changing: of two who decide at once the second reads who was first (chapter 70 L5).
 * @throws Refusal 404 for somebody else's, taskDone, versionChanged, selfApprove
 */
async function takeTask(act: Act, { task_id, version }: Verdict): Promise<{ task: Task; leave: Leave }> {
  const { db, school_id, by } = act
  const found = await db.selectFrom('leave_task').select(['leave_id', 'assignee']).where('school_id', '=', school_id).where('task_id', '=', task_id).executeTakeFirst()
  if (!found || found.assignee !== by?.user_id) throw fail(commonErrors.notFound)
  const leave = await lockLeave(db, school_id, found.leave_id)
  const task = await db.selectFrom('leave_task').select(['task_id', 'leave_id', 'version', 'seq', 'assignee', 'state']).where('school_id', '=', school_id).where('task_id', '=', task_id).executeTakeFirstOrThrow()
  if (task.state !== task_states.open) throw fail(leaveErrors.taskDone, { params: { name: await deciderOf(act, task) } })
  if (task.version !== version) throw fail(leaveErrors.versionChanged)
  const members = await membersOf(db, school_id, leave.leave_id)
  if (members.some(one => one.user_id === by.user_id)) throw fail(leaveErrors.selfApprove)
  return { task, leave }
}

/** Who decided the step in the place of the others. */
async function deciderOf({ db, school_id }: Act, { leave_id, version, seq }: Omit<Task, 'task_id' | 'assignee'>): Promise<string> {
  const done = await db.selectFrom('leave_task').select('assignee').where('school_id', '=', school_id).where('leave_id', '=', leave_id).where('version', '=', version).where('seq', '=', seq)
    .where('state', 'in', [task_states.passed, task_states.refused, task_states.sent_back]).orderBy('done_at', 'desc').limit(1).executeTakeFirst()
  return (await namesOf(db, school_id, [done?.assignee ?? null])).get(done?.assignee ?? '') ?? '申请人'
}

async function closeTask(act: Act, { task_id, leave_id }: Task, state: number, opinion: string | undefined): Promise<void> {
  const { db, school_id, now } = act
  await db.updateTable('leave_task').set({ state, opinion: opinion ?? null, done_at: now }).where('school_id', '=', school_id).where('task_id', '=', task_id).execute()
  await publish(act, leaveEvents.taskDone, { task_id, leave_id })
}

/** @throws Refusal as `takeTask`, expired, personGone, overlap */
export async function passTask(ctx: LeaveCtx, verdict: Verdict): Promise<LeaveStateReply> {
  const act = actOf(ctx)
  ctx.scoped()
  const { task, leave } = await takeTask(act, verdict)
  await closeTask(act, task, task_states.passed, verdict.opinion)
  await afterPass(act, leave, task.seq)
  ctx.note({ target_kind: 'leave.apply', target_id: leave.leave_id, target_name: leave.leave_no, after: { opinion: verdict.opinion ?? '' } })
  return stateReply(act.db, act.school_id, leave.leave_id)
}

/** @throws Refusal opinionMissing, as `takeTask` */
export function refuseTask(ctx: LeaveCtx, verdict: Verdict): Promise<LeaveStateReply> {
  return endTask(ctx, verdict, task_states.refused, leave_states.refused)
}

/** Sends the application back to who asked, to be completed. @throws Refusal opinionMissing, as `takeTask` */
export function sendBack(ctx: LeaveCtx, verdict: Verdict): Promise<LeaveStateReply> {
  return endTask(ctx, verdict, task_states.sent_back, leave_states.draft)
}

async function endTask(ctx: LeaveCtx, verdict: Verdict, task_state: number, leave_state: number): Promise<LeaveStateReply> {
  const act = actOf(ctx)
  ctx.scoped()
  const { opinion = '' } = verdict
  const { task, leave } = await takeTask(act, verdict)
  if (opinion === '') throw fail(leaveErrors.opinionMissing, { errors: [{ field: 'opinion', msg: leaveErrors.opinionMissing.msg }] })
  await closeTask(act, task, task_state, opinion)
  await refuseOpen(act, leave, leave_state, opinion)
  ctx.note({ target_kind: 'leave.apply', target_id: leave.leave_id, target_name: leave.leave_no, reason: opinion })
  return stateReply(act.db, act.school_id, leave.leave_id)
}

/** Somebody else decides in one's place, or beside oneself. @throws Refusal 404 for somebody who is not here, selfApprove, as `takeTask` */
export async function handTask(ctx: LeaveCtx, { to_user_id, ...verdict }: Verdict & { to_user_id: string }, is_transfer: boolean): Promise<LeaveStateReply> {
  const act = actOf(ctx)
  ctx.scoped()
  const { db, school_id } = act
  const { task, leave } = await takeTask(act, verdict)
  await requireColleague(act, to_user_id, leave.leave_id)
  const of = await openVersion(act, leave.leave_id)
  const escalate_min = of.plan.find(one => one.seq === task.seq)?.escalate_min ?? 120
  if (is_transfer) await closeTask(act, task, task_states.transferred, verdict.opinion)
  await addTask(act, leave, of, { seq: task.seq, assignee: to_user_id, via: is_transfer ? transferred : added, escalate_min, origin_task: task.task_id }, null)
  await askApprovers(act, leave, `${leave.leave_id}:${of.version}:${task.seq}:${to_user_id}`, [to_user_id])
  ctx.note({ target_kind: 'leave.apply', target_id: leave.leave_id, target_name: leave.leave_no, after: { to_user_id } })
  return stateReply(db, school_id, leave.leave_id)
}

async function requireColleague({ db, school_id }: Act, user_id: string, leave_id: string): Promise<void> {
  const staff = await db.selectFrom('live_staff').select('user_id').where('school_id', '=', school_id).where('user_id', '=', user_id).executeTakeFirst()
  if (!staff) throw fail(commonErrors.notFound)
  if ((await membersOf(db, school_id, leave_id)).some(one => one.user_id === user_id)) throw fail(leaveErrors.selfApprove)
}

/** Passes several; those that cannot be passed say why, the others stand. @throws Refusal 404 when one is not the caller's */
export async function passMany(ctx: LeaveCtx, { task_ids }: Input<typeof taskApi.batchPass>): Promise<Reply<typeof taskApi.batchPass>> {
  const { db, school_id, me } = ctx
  ctx.scoped()
  const tasks = await db.selectFrom('leave_task').select(['task_id', 'version']).where('school_id', '=', school_id).where('assignee', '=', me.user_id).where('task_id', 'in', task_ids).execute()
  if (tasks.length < new Set(task_ids).size) throw fail(commonErrors.notFound)
  const failed: { task_id: string; msg: string }[] = []
  for (const task of tasks.toSorted((one, other) => Number(one.task_id) - Number(other.task_id))) {
    await sql`savepoint one_task`.execute(db)
    try {
      await passTask(ctx, task)
      await sql`release savepoint one_task`.execute(db)
    } catch (cause) {
      if (!(cause instanceof Refusal)) throw cause
      await sql`rollback to savepoint one_task`.execute(db)
      failed.push({ task_id: task.task_id, msg: cause.message })
    }
  }
  return { done: tasks.length - failed.length, failed }
}
