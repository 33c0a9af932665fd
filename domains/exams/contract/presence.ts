import { UserId } from '@campus/people/contract'
import { api, get, id, Instant, post } from '@kit/contract'
import { z } from 'zod'
import { ExamId, SessionId } from './exam.ts'

const RoomId = id('exams.room')
export const presence_states = { 1: '到考', 2: '迟到', 3: '缺考', 4: '违纪', 5: '提前离场' } as const
const most_rows = 120

export const PresenceRow = z.object({
  user_id: UserId, user_name: z.string(), exam_no: z.string().nullable(), dept_name: z.string(), room_id: RoomId, seat: z.number().int(),
    state: z.number().int().nullable(),
  sign_at: Instant.nullable(), by_name: z.string().nullable(), note: z.string(),
})
export type PresenceRow = z.output<typeof PresenceRow>
const PresenceRoom = z.object({ room_id: RoomId, number: z.number().int(), place_name: z.string(), seated: z.number().int(),
  confirmed_at: Instant.nullable(), confirmed_by: z.string().nullable() })
export const Presence = z.object({
  exam_id: ExamId, exam_name: z.string(), session_id: SessionId, session_name: z.string(), begin_at: Instant, end_at: Instant,
    may_confirm: z.boolean(),
  rooms: z.array(PresenceRoom), rows: z.array(PresenceRow),
})
export type Presence = z.output<typeof Presence>

const bySession = z.object({ session_id: SessionId })
const State = z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4), z.literal(5)])
const sign = { need: 'exams.presence.enter' } as const

/** Signing in at the door and who is missing (chapter 55 rule 32): the office sees every room, an invigilator his own. */
export const presenceApi = api('v2', 'exams.presence', {
  read: get('exam/session/:session_id/presence', { params: bySession, reply: Presence, ...sign }),
  sign: post('exam/session/:session_id/sign', {
    params: bySession, reply: z.object({ signed: z.number().int() }), op: 4, ...sign,
    body: z.strictObject({ rows: z.array(z.strictObject({ user_id: UserId, state: State, note: z.string().trim().max(100,
      { error: '说明不能超过100个字' }).default('') })).min(1).max(most_rows) }),
  }),
  confirm: post('exam/session/:session_id/confirm', { params: bySession, body: z.strictObject({ room_id: RoomId }),
    reply: z.object({ absent: z.number().int() }), op: 4, ...sign }),
})
