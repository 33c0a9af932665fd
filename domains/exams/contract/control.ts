import { api, get, id, Instant } from '@kit/contract'
import { z } from 'zod'
import { ExamId, SessionId } from './exam.ts'

const Devices = z.array(z.object({ device_name: z.string(), online: z.boolean() }))

/** One room in one session: its boards and doors, and whether the exam is on there. */
export const ControlRow = z.object({
  session_id: SessionId, session_name: z.string(), room_id: id('exams.room'), room_number: z.number().int(), place_name: z.string(),
    from: Instant, until: Instant,
  phase: z.enum(['draft', 'planned', 'active', 'ended']), boards: Devices, doors: Devices, people: z.number().int(),
})
export type ControlRow = z.output<typeof ControlRow>
export const control_phases = { draft: '未发布', planned: '已下达', active: '生效中', ended: '已结束' } as const

/** 管制: boards in exam mode and doors of the rooms of a plan (chapter 55 rule 31). */
export const controlApi = api('v2', 'exams.control', {
  read: get('exam/:exam_id/control', { params: z.object({ exam_id: ExamId }), reply: z.object({ list: z.array(ControlRow) }),
    need: 'exams.plan.view' }),
})
