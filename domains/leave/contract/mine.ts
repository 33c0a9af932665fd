import { DeptId, UserId } from '@campus/people/contract'
import { api, get, Instant, post } from '@kit/contract'
import { z } from 'zod'
import { ActReply, actBodies, LeaveDraft, LeaveFile, LeaveId, LeaveOptions, LeavePreview } from './apply.ts'

/** A leave of mine or of my child, newest first. */
export const MyLeave = z.object({ leave_id: LeaveId, leave_no: z.string(), user_id: UserId, user_name: z.string(), person_kind: z.number().int(), leave_type: z.string(), reason_name: z.string(), begin_at: Instant, end_at: Instant, school_days: z.number(), lessons: z.number().int(), state: z.number().int(), changing: z.boolean() })
export type MyLeave = z.output<typeof MyLeave>

const Subject = z.object({ user_id: UserId, user_name: z.string(), dept_name: z.string().nullable(), person_kind: z.number().int(), may_apply: z.boolean(), why_not: z.string().nullable() })
export type Subject = z.output<typeof Subject>
const ClassLine = z.object({ leave_id: LeaveId, user_id: UserId, user_name: z.string(), leave_type: z.string(), begin_at: Instant, end_at: Instant, state: z.number().int() })

const self = { session: true, within: 'self' } as const
const act = { ...self, op: 4 } as const

/** Leave on the phone: for oneself, for one's child; a class teacher sees the class of today (chapter 80 §5, 3). */
export const mineApi = api('leave', 'leave.mine', {
  options: get('mine/options', { reply: LeaveOptions.extend({ subjects: z.array(Subject), pickups: z.array(z.object({ child_id: UserId, user_id: UserId, user_name: z.string() })) }), ...self }),
  list: get('mine/list', { reply: z.object({ list: z.array(MyLeave) }), ...self }),
  read: get('mine/leave/:leave_id', { params: z.object({ leave_id: LeaveId }), reply: LeaveFile, ...self }),
  preview: post('mine/preview', { body: LeaveDraft, reply: LeavePreview, reads: true, unlogged: '提交前预览，不改变数据', ...self }),
  add: post('mine/add', { body: LeaveDraft, reply: ActReply.extend({ leave_no: z.string() }), ...self }),
  /** where a photo of the proof is sent before the application */
  uploadForm: get('mine/upload_form', { reply: z.object({ host: z.string(), dir: z.string(), fields: z.record(z.string(), z.string()), max_size: z.number().int() }), ...self }),
  withdraw: post('mine/withdraw', { body: actBodies.withdraw, reply: ActReply, ...act }),
  cancel: post('mine/cancel', { body: actBodies.cancel, reply: ActReply, ...act }),
  change: post('mine/change', { body: actBodies.change, reply: ActReply, ...act }),
  endEarly: post('mine/end_early', { body: actBodies.end_early, reply: ActReply, ...act }),
  today: get('mine/class_today', { reply: z.object({ classes: z.array(z.object({ dept_id: DeptId, dept_name: z.string(), pupils: z.array(z.object({ user_id: UserId, user_name: z.string() })), leaves: z.array(ClassLine) })) }), session: true, within: 'own' }),
})
