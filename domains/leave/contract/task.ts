import { UserId } from '@campus/people/contract'
import { api, filter, get, id, Instant, page, PageQuery, post } from '@kit/contract'
import { z } from 'zod'
import { ActReply, LeaveFile, LeaveId } from './apply.ts'

/** Tasks passed in one call (chapter 70 §4). */
export const most_tasks = 50
export const TaskId = id('leave.task')
const Opinion = z.string().trim().max(200, { error: '超过200个字' })

/** One thing that waits for me, or that I decided. */
export const LeaveTask = z.object({
  task_id: TaskId, leave_id: LeaveId, leave_no: z.string(), version: z.number().int(), version_kind: z.number().int(),
  user_id: UserId, user_name: z.string(), dept_name: z.string().nullable(), members: z.number().int(), person_kind: z.number().int(),
  leave_type: z.string(), reason_name: z.string(), reason: z.string(), proofs: z.number().int(), begin_at: Instant, end_at: Instant, school_days: z.number(), lessons: z.number().int(),
  apply_by_name: z.string(), via: z.number().int(), state: z.number().int(), opinion: z.string().nullable(), created_at: Instant, due_at: Instant, done_at: Instant.nullable(), is_late: z.boolean(),
})
export type LeaveTask = z.output<typeof LeaveTask>

const verdict = { task_id: TaskId, opinion: Opinion.optional(), version: z.number().int() }
const Verdict = z.strictObject(verdict)
const Other = z.strictObject({ ...verdict, to_user_id: UserId })
const own = { session: true, within: 'own', op: 8 } as const

/** What waits for me: the right to decide comes from being asked, for staff and guardians alike (chapter 70 §4 task/*, within own). */
export const taskApi = api('leave', 'leave.task', {
  page: post('task/page', { body: PageQuery.extend({ state: filter(z.enum(['todo', 'done'])) }), reply: page(LeaveTask).extend({ todo: z.number().int() }), reads: true, unlogged: '列表查询', session: true, within: 'own' }),
  read: get('task/:task_id', { params: z.object({ task_id: TaskId }), reply: LeaveFile, session: true, within: 'own' }),
  pass: post('task/pass', { body: Verdict, reply: ActReply, ...own }),
  refuse: post('task/refuse', { body: Verdict, reply: ActReply, ...own }),
  sendBack: post('task/send_back', { body: Verdict, reply: ActReply, ...own }),
  transfer: post('task/transfer', { body: Other, reply: ActReply, ...own }),
  addSign: post('task/add_sign', { body: Other, reply: ActReply, ...own }),
  batchPass: post('task/batch_pass', { body: z.strictObject({ task_ids: z.array(TaskId).min(1).max(most_tasks, { error: `一次最多${most_tasks}条` }) }), reply: z.object({ done: z.number().int(), failed: z.array(z.object({ task_id: TaskId, msg: z.string() })) }), ...own }),
})
