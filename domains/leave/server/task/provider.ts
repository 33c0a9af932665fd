import type { ApprovalCtx, ApprovalProvider } from '@campus/approval/server'
import { leaveTypeName, spanText, version_kinds } from '@campus/leave/contract'
import { commonErrors, fail } from '@kit/contract'
import { asTables } from '@kit/server/db'
import type { LeaveCtx, LeaveDb } from '../db.ts'
import { countTasks, listTasks } from './task.service.ts'
import { passTask, refuseTask, sendBack } from './verdict.ts'

const leaveCtx = (ctx: ApprovalCtx): LeaveCtx => ({ ...ctx, db: asTables<LeaveDb>(ctx.db) })
const acts = { pass: passTask, refuse: refuseTask, send_back: sendBack }
const actions = [
  { code: 'pass', title: '同意', needs_reason: false, danger: false },
  { code: 'refuse', title: '拒绝', needs_reason: true, danger: true },
  { code: 'send_back', title: '退回补充', needs_reason: true, danger: false },
]

/** Leaves in the one list of what waits (chapter 80 P1). */
export const leaveProvider: ApprovalProvider = {
  code: 'leave',
  title: '请假',
  count: ctx => countTasks(asTables<LeaveDb>(ctx.db), ctx.school_id, ctx.me.user_id),
  async page(ctx, limit) {
    const tasks = await listTasks(asTables<LeaveDb>(ctx.db), { school_id: ctx.school_id, user_id: ctx.me.user_id, now: ctx.now }, 'todo', { limit, offset: 0 })
    return tasks.map(task => ({
      item_id: task.task_id, version: task.version, since: task.created_at, due_at: task.due_at, is_late: task.is_late, actions,
      title: `${task.user_name}${task.members > 1 ? `等${task.members}人` : ''} ${leaveTypeName(task.person_kind, task.leave_type)}${task.version_kind === 1 ? '' : version_kinds[task.version_kind] ?? ''}`,
      about: [task.dept_name, spanText(task), task.reason_name, task.reason].filter(Boolean).join(' · '),
    }))
  },
  async act(ctx, { item_id, action, opinion, version }) {
    const act = Object.entries(acts).find(([code]) => code === action)?.[1]
    if (!act) throw fail(commonErrors.notFound)
    await act(leaveCtx(ctx), { task_id: item_id, version, opinion })
  },
}
