import { leaveEvents, leave_states, leaveTemplates, task_states } from '@campus/leave/contract'
import { send } from '@campus/messages/server'
import { asTables } from '@kit/server/db'
import { publish } from '@kit/server/event'
import type { TimerKind } from '@kit/server/event'
import { sql } from 'kysely'
import type { Act, LeaveDb } from '../db.ts'
import { liveOnes } from '../flow/approvers.ts'
import { addTask, late_kind, openVersion, refuseOpen } from '../flow/progress.ts'
import { designOf } from '../form/version.ts'
import { at_end, finish } from './acts.ts'
import { ending_kind, undecided_kind } from './plan.ts'
import { lockLeave, membersOf, settleState, spansOf } from './store.ts'
import { keepersOf, wordsOf } from './words.ts'

const { asked, agreed, out, back, overdue, ended, withdrawn } = leave_states
const escalated = 5

/** After the last span: who never left or is back has ended his leave, who is out is late (chapter 70 §2.1, L9). */
export const endingTimer: TimerKind = {
  kind: ending_kind,
  async run(handle, { app, school_id, ref, now }) {
    const db = asTables<LeaveDb>(handle)
    const act: Act = { app, db, school_id, now, by: null }
    const [leave_id = '', fact_version] = ref.split(':')
    const leave = await lockLeave(db, school_id, leave_id)
    if (leave.fact_version !== Number(fact_version)) return
    const members = await membersOf(db, school_id, leave_id)
    const late = members.filter(one => one.state === out || (one.state === agreed && !leave.auto_return))
    const over = members.filter(one => one.state === back || (one.state === agreed && leave.auto_return))
    if (late.length + over.length === 0) return
    const end = new Date(Math.max(...(await spansOf(db, school_id, leave_id)).map(one => one.end_at.getTime())))
    const set = (user_ids: string[], facts: object) => db.updateTable('leave_member').set(facts).where('school_id', '=', school_id).where('leave_id', '=', leave_id).where('user_id', 'in', ['0', ...user_ids]).execute()
    await set(over.map(one => one.user_id), { state: ended, back_at: sql`coalesce(back_at, ${end})`, back_basis: sql`coalesce(back_basis, ${at_end})` })
    await set(late.map(one => one.user_id), { state: overdue, overdue_at: now })
    const state = await settleState(act, leave_id)
    if (state === ended) await finish(act, leave_id)
    if (late.length === 0) return
    await publish(act, leaveEvents.overdue, { leave_id, fact_version: leave.fact_version })
    const to = await keepersOf(act, leave_id)
    const { name } = await wordsOf(act, leave)
    if (to.length > 0) await send(act, { template: leaveTemplates.overdue, source_ref: `${ref}:late`, to: to.map(user_id => ({ user_id })), values: { name, at: minuteText(end) }, level: 2 })
  },
}

/** A day after the begin nobody has decided: the application is over (chapter 70 §2.1). */
export const undecidedTimer: TimerKind = {
  kind: undecided_kind,
  async run(handle, { app, school_id, ref, now }) {
    const db = asTables<LeaveDb>(handle)
    const leave = await lockLeave(db, school_id, ref)
    if (leave.state === asked) await refuseOpen({ app, db, school_id, now, by: null }, leave, withdrawn, '超过24小时未审批，已自动撤销')
  },
}

/** A task lies too long: whoever stands in is asked beside the first, who keeps his right; nothing is agreed to by silence (chapter 70 L4). */
export const lateTimer: TimerKind = {
  kind: late_kind,
  async run(handle, { app, school_id, ref, now }) {
    const db = asTables<LeaveDb>(handle)
    const act: Act = { app, db, school_id, now, by: null }
    const task = await db.selectFrom('leave_task').select(['leave_id', 'version', 'seq', 'assignee', 'via', 'state']).where('school_id', '=', school_id).where('task_id', '=', ref).executeTakeFirst()
    if (!task || task.state !== task_states.open) return
    const leave = await lockLeave(db, school_id, task.leave_id)
    const of = await openVersion(act, task.leave_id)
    const { fallback_user_ids } = await designOf(db, school_id, leave.form_id, leave.form_version)
    const escalate_min = of.plan.find(one => one.seq === task.seq)?.escalate_min ?? 120
    if (task.via !== escalated) for (const assignee of await liveOnes(db, school_id, fallback_user_ids)) await addTask(act, leave, of, { seq: task.seq, assignee, via: escalated, escalate_min, origin_task: ref }, null)
    const to = await liveOnes(db, school_id, [...new Set([task.assignee, ...fallback_user_ids])])
    const { name, span } = await wordsOf(act, leave)
    if (to.length > 0) await send(act, { template: leaveTemplates.late, source_ref: `task:${ref}`, to: to.map(user_id => ({ user_id })), values: { name, span }, level: 2 })
  },
}

function minuteText(instant: Date): string {
  return new Date(instant.getTime() + 8 * 3_600_000).toISOString().slice(0, 16).replace('T', ' ')
}
