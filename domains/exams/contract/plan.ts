import { DeptId, UserId } from '@campus/people/contract'
import { api, Done, get, id, page, PageQuery, post, put } from '@kit/contract'
import { z } from 'zod'
import { ExamId, ExamRow, SessionId } from './exam.ts'

const RoomId = id('exams.room')
const PlaceId = id('places.place')
const [most_rooms, most_cells, most_seed] = [99, 120, 2_147_483_647] as const
const byExam = z.object({ exam_id: ExamId })
const edit = { need: 'exams.plan.edit' } as const
const view = { need: 'exams.plan.view' } as const
const publish = { need: 'exams.plan.publish' } as const
const Seed = z.number().int().min(1, { error: '种子为正整数' }).max(most_seed)

export const CandidateRow = z.object({
  user_id: UserId, user_name: z.string(), student_no: z.string(), dept_id: DeptId, dept_name: z.string(), exam_no: z.string().nullable(), papers: z.number().int(),
  front_row: z.boolean(), extra_minutes: z.number().int(), state: z.number().int(), seats: z.number().int(),
})
export type CandidateRow = z.output<typeof CandidateRow>
/** What a refresh of the roster does. */
const Refresh = z.object({ added: z.number().int(), removed: z.number().int(), moved: z.number().int(), names: z.array(z.string()), seated: z.number().int(), unseated: z.number().int() })

const RoomFacts = {
  place_id: PlaceId, col_count: z.number().int().min(1, { error: '列数为1至10' }).max(10, { error: '列数为1至10' }), row_count: z.number().int().min(1, { error: '行数为1至12' }).max(12, { error: '行数为1至12' }),
  path: z.enum(['S', 'Z']), blocked: z.array(z.number().int().min(0).max(most_cells - 1)).max(most_cells), is_spare: z.boolean(),
}
export const RoomRow = z.object({ room_id: RoomId, number: z.number().int(), place_name: z.string(), capacity: z.number().int().nullable(), seats: z.number().int(), ...RoomFacts })
export type RoomRow = z.output<typeof RoomRow>
const FreePlace = z.object({ place_id: PlaceId, place_name: z.string(), building: z.string(), capacity: z.number().int().nullable(), lessons: z.number().int(), taken_by: z.string().nullable() })
export type FreePlace = z.output<typeof FreePlace>

export const SeatRow = z.object({
  user_id: UserId, user_name: z.string(), exam_no: z.string().nullable(), dept_id: DeptId, dept_name: z.string(), room_id: RoomId, seat: z.number().int(), cell: z.number().int(), pinned: z.boolean(),
})
export type SeatRow = z.output<typeof SeatRow>
const Violation = z.object({ room_id: RoomId, user_ids: z.array(UserId), text: z.string() })
export const SeatMap = z.object({ rooms: z.array(RoomRow), seats: z.array(SeatRow), violations: z.array(Violation), unseated: z.number().int(), seed: z.number().int().nullable() })
export type SeatMap = z.output<typeof SeatMap>

export const PostRow = z.object({ session_id: SessionId, room_id: RoomId, role: z.number().int(), user_id: UserId, user_name: z.string(), minutes: z.number().int(), source: z.string(), reason: z.string() })
export type PostRow = z.output<typeof PostRow>
const Load = z.object({ user_id: UserId, user_name: z.string(), teacher_no: z.string(), minutes: z.number().int(), before: z.number().int(), share: z.number(), times: z.number().int(), blocked: z.number().int() })
export const Duties = z.object({
  rooms: z.array(RoomRow), used: z.array(z.object({ session_id: SessionId, room_id: RoomId })), posts: z.array(PostRow), loads: z.array(Load), unfilled: z.number().int(), spread: z.number().int(), seed: z.number().int().nullable(),
})
export type Duties = z.output<typeof Duties>

const SheetSeat = z.object({
  session_id: SessionId, room_id: RoomId, seat: z.number().int(), user_id: UserId, user_name: z.string(), student_no: z.string(),
    exam_no: z.string().nullable(), dept_name: z.string(),
})
/** A seat as it stands on paper: admission slips, door sheets, labels. */
export type SheetSeat = z.output<typeof SheetSeat>

/** Who sits and watches where (chapter 55 §4). */
export const planApi = api('v2', 'exams.plan', {
  candidates: get('exam/:exam_id/candidate/page', { params: byExam, query: z.object({ ...PageQuery.shape, keyword: z.string().max(50).optional(), dept_id: DeptId.optional() }), reply: page(CandidateRow), ...view }),
  refresh: post('exam/:exam_id/candidate/refresh', { params: byExam, body: z.strictObject({ preview: z.boolean().default(true) }), reply: Refresh, op: 4, ...edit }),
  renumber: post('exam/:exam_id/number', { params: byExam, body: z.strictObject({ scheme: z.enum(['class', 'random']), seed: Seed.default(1) }), reply: z.object({ numbered: z.number().int() }), op: 4, ...edit }),
  candidate: put('exam/:exam_id/candidate/:user_id', {
    params: z.object({ exam_id: ExamId, user_id: UserId }),
    body: z.strictObject({ front_row: z.boolean(), extra_minutes: z.number().int().min(0, { error: '延长时间为0至60分钟' }).max(60, { error: '延长时间为0至60分钟' }), state: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]) }), reply: Done, ...edit,
  }),
  rooms: get('exam/:exam_id/room', { params: byExam, reply: z.object({ rooms: z.array(RoomRow), candidates: z.number().int() }), ...view }),
  places: get('exam/:exam_id/room/available', { params: byExam, reply: z.object({ list: z.array(FreePlace) }), ...view }),
  saveRooms: put('exam/:exam_id/room', { params: byExam, body: z.strictObject({ rooms: z.array(z.strictObject({ room_id: RoomId.nullable(), ...RoomFacts })).max(most_rooms, { error: '最多99个考场' }) }), reply: z.object({ rooms: z.array(RoomRow) }), ...edit }),
  runSeats: post('exam/:exam_id/seat/run', {
    params: byExam, body: z.strictObject({ mode: z.enum(['random', 'number']).default('random'), seed: Seed }), reply: z.object({ seated: z.number().int(), violations: z.number().int(), plan_hash: z.string() }), op: 4, ...edit,
  }),
  seats: get('exam/:exam_id/seat', { params: byExam, query: z.object({ session_id: SessionId }), reply: SeatMap, ...view }),
  move: post('exam/:exam_id/seat/move', {
    params: byExam, body: z.strictObject({ session_id: SessionId, user_id: UserId, room_id: RoomId, seat: z.number().int().min(1).max(most_cells), other_id: UserId.nullable() }), reply: z.object({ swapped: z.string().nullable() }), op: 4, ...edit,
  }),
  pin: post('exam/:exam_id/seat/pin', { params: byExam, body: z.strictObject({ session_id: SessionId, user_id: UserId, pinned: z.boolean() }), reply: Done, op: 4, ...edit }),
  runDuties: post('exam/:exam_id/invigilate/run', {
    params: byExam, body: z.strictObject({ seed: Seed, per_room: z.union([z.literal(1), z.literal(2)]).default(2) }), reply: z.object({ posts: z.number().int(), unfilled: z.number().int(), spread: z.number().int(), plan_hash: z.string() }), op: 4, ...edit,
  }),
  duties: get('exam/:exam_id/invigilate', { params: byExam, reply: Duties, ...view }),
  assign: post('exam/:exam_id/invigilate/assign', {
    params: byExam, body: z.strictObject({ session_id: SessionId, room_id: RoomId, role: z.union([z.literal(1), z.literal(2)]), user_id: UserId.nullable() }), reply: Done, op: 4, ...edit,
  }),
  sheets: get('exam/:exam_id/print', {
    params: byExam, query: z.object({ session_id: SessionId.optional(), dept_id: DeptId.optional() }),
      reply: z.object({ seats: z.array(SheetSeat) }), ...view,
  }),
  publish: post('exam/:exam_id/plan/publish', { params: byExam, reply: z.object({ row: ExamRow, receipts: z.array(z.string()) }), op: 4, ...publish }),
  recall: post('exam/:exam_id/plan/recall', { params: byExam, body: z.strictObject({ reason: z.string().trim().min(2, { error: '请填写2至200个字的原因' }).max(200) }), reply: z.object({ row: ExamRow }), op: 4, ...publish }),
})
