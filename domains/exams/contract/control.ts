import { api, Done, get, id, Instant, post } from '@kit/contract'
import { z } from 'zod'
import { ExamId, SessionId } from './exam.ts'

const RoomId = id('exams.room')
const Kind = z.enum(['board', 'door'])
const Reason = z.string().trim().min(2, { error: '请填写2至200个字的原因' }).max(200, { error: '请填写2至200个字的原因' })
const Devices = z.array(z.object({ device_name: z.string(), online: z.boolean() }))

/** One room in one session: its boards and doors, whether the exam is on there, and what of it has been lifted. */
export const ControlRow = z.object({
  session_id: SessionId, session_name: z.string(), room_id: RoomId, room_number: z.number().int(), place_name: z.string(),
    from: Instant, until: Instant,
  phase: z.enum(['draft', 'planned', 'active', 'ended']), boards: Devices, doors: Devices, people: z.number().int(),
  lifted: z.array(z.object({ kind: Kind, reason: z.string(), by_name: z.string(), at: Instant })),
})
export type ControlRow = z.output<typeof ControlRow>
export const control_kinds = { board: '班牌考场模式', door: '考场门禁' } as const
export const control_phases = { draft: '未发布', planned: '已下达', active: '生效中', ended: '已结束' } as const

/** 管制: boards in exam mode and doors of the rooms of a plan (chapter 55 rule 31). */
export const controlApi = api('v2', 'exams.control', {
  read: get('exam/:exam_id/control', { params: z.object({ exam_id: ExamId }), reply: z.object({ list: z.array(ControlRow) }),
    need: 'exams.plan.view' }),
  override: post('exam/session/:session_id/control/override', {
    params: z.object({ session_id: SessionId }), body: z.strictObject({ room_id: RoomId, kind: Kind, reason: Reason }), reply: Done, op: 4,
    need: 'exams.presence.enter',
  }),
})
