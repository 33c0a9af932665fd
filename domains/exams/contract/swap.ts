import { UserId } from '@campus/people/contract'
import { api, Done, get, id, Instant, post } from '@kit/contract'
import { z } from 'zod'
import { ExamId, SessionId } from './exam.ts'

const SwapId = id('exams.swap')
export const swap_states = { 0: '待对方确认', 1: '待教务审批', 2: '已换班', 3: '已拒绝', 4: '已撤销' } as const
const Reason = z.string().trim().min(2, { error: '请填写2至200个字的原因' }).max(200, { error: '请填写2至200个字的原因' })

export const SwapRow = z.object({
  swap_id: SwapId, session_id: SessionId, exam_name: z.string(), session_name: z.string(), begin_at: Instant, room: z.string(),
    from_name: z.string(), to_name: z.string(),
  reason: z.string(), state: z.number().int(), asked_at: Instant,
})
export type SwapRow = z.output<typeof SwapRow>
export const MyDuty = z.object({
  exam_id: ExamId, exam_name: z.string(), session_id: SessionId, session_name: z.string(), begin_at: Instant, end_at: Instant,
    room_number: z.number().int(), place_name: z.string(),
  role: z.number().int(), may_swap: z.boolean(), swap: SwapRow.nullable(),
})
export type MyDuty = z.output<typeof MyDuty>

const self = { session: true, within: 'self' } as const
const one = z.strictObject({ swap_id: SwapId })

/** Swaps of invigilators: one asks, the other agrees, the office approves (chapter 55 rule 30). */
export const swapApi = api('v2', 'exams.swap', {
  mine: get('exam/my/duty', { reply: z.object({ duties: z.array(MyDuty), asked: z.array(SwapRow) }), ...self }),
  fit: get('exam/my/duty/:session_id/fit', { params: z.object({ session_id: SessionId }),
    reply: z.object({ list: z.array(z.object({ user_id: UserId, user_name: z.string() })) }), ...self }),
  ask: post('exam/my/swap', { body: z.strictObject({ session_id: SessionId, to_user_id: UserId, reason: Reason }),
    reply: z.object({ swap_id: SwapId }), op: 4, ...self }),
  accept: post('exam/my/swap/accept', { body: one.extend({ agreed: z.boolean() }), reply: Done, op: 4, ...self }),
  withdraw: post('exam/my/swap/withdraw', { body: one, reply: Done, op: 4, ...self }),
  page: get('exam/:exam_id/swap', { params: z.object({ exam_id: ExamId }), reply: z.object({ list: z.array(SwapRow) }),
    need: 'exams.plan.view' }),
  decide: post('exam/swap/decide', { body: one.extend({ agreed: z.boolean() }), reply: Done, op: 4, need: 'exams.plan.edit' }),
})
