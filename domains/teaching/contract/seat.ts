import { DeptId, UserId } from '@campus/people/contract'
import { api, choice, Day, Done, exportOf, get, Instant, keyword, list, post, reference } from '@kit/contract'
import { z } from 'zod'
import { seat_states } from './dictionary.ts'
import { elective_fields, Offer, OfferId, TaskId, TaskRow } from './elective.ts'

const Seat = z.object({
  key: z.string(), task_id: TaskId, student_id: UserId, student_no: z.string(), user_name: z.string(), dept_id: DeptId.nullable(),
    dept_name: z.string(),
  offer_id: OfferId, title: z.string(), rank: z.number().int(), state: z.number().int(), wait_no: z.number().int().nullable(),
    draw_no: z.number().int().nullable(), at: Instant,
})
export type Seat = z.output<typeof Seat>

/** Who chose what, waits for what, was drawn for what. */
export const seatList = list({
  title: '选课名单', unit: '条', row: Seat, key: 'key', is_about_people: true,
  columns: {
    student_no: { label: '学号', width: 128 },
    user_name: { label: '姓名', width: 104 },
    dept_name: { label: '班级', width: 128 },
    title: { label: '课程', width: 192 },
    state: { label: '状态', width: 80, names: seat_states },
    rank: { label: '志愿', width: 72, text: row => (row.rank > 0 ? `第${row.rank}志愿` : '') },
    wait_no: { label: '候补序号', width: 88, text: row => String(row.wait_no ?? '') },
    draw_no: { label: '抽签序号', width: 88, text: row => String(row.draw_no ?? '') },
    at: { label: '时间', width: 152, kind: 'second' },
  },
  filters: {
    task_id: reference('选课任务', 'teaching.elective', TaskId), offer_id: reference('课程', 'teaching.offer', OfferId),
      keyword: keyword('姓名/学号'),
    state: choice('状态', seat_states), dept_id: reference('班级', 'people.dept', DeptId),
  },
})
const Missing = z.object({ student_id: UserId, student_no: z.string(), user_name: z.string(), dept_name: z.string(),
  picks: z.number().int() })
export type Missing = z.output<typeof Missing>
/** Pupils of a task who have chosen less than they must, or nothing. */
export const missingList = list({
  title: '未选名单', unit: '人', row: Missing, key: 'student_id', is_about_people: true,
  columns: {
    student_no: { label: '学号', width: 128 }, user_name: { label: '姓名', width: 104 }, dept_name: { label: '班级', width: 160 },
      picks: { label: '已选门数', width: 96, kind: 'number' },
  },
  filters: { task_id: reference('选课任务', 'teaching.elective', TaskId), keyword: keyword('姓名/学号') },
})
const ComboRow = z.object({ key: z.string(), student_id: UserId, student_no: z.string(), user_name: z.string(), dept_name: z.string(),
  combo: z.string(), combo_name: z.string(), valid_from: Day, reason: z.string() })
export type ComboRow = z.output<typeof ComboRow>
/** Three of six subjects that pupils study today. */
export const comboList = list({
  title: '选科结果', unit: '人', row: ComboRow, key: 'key', is_about_people: true,
  columns: {
    student_no: { label: '学号', width: 128 }, user_name: { label: '姓名', width: 104 }, dept_name: { label: '班级', width: 136 },
    combo_name: { label: '选科组合', width: 208 }, valid_from: { label: '生效日期', width: 112, kind: 'day' }, reason: { label: '说明', width: 200 },
  },
  filters: { keyword: keyword('姓名/学号'), combo: reference('选科组合', 'teaching.combo', z.string().max(8)),
    dept_id: reference('班级', 'people.dept', DeptId) },
})

const scoped = { need: 'teaching.elective.view', within: 'student_dept' } as const
const assign = { need: 'teaching.elective.assign', within: 'student_dept' } as const
const export_scoped = { need: 'teaching.elective.export', within: 'student_dept' } as const
const named = { task_id: TaskId, offer_id: OfferId, student_id: UserId }
const SeatState = z.object({ state: z.number().int(), wait_no: z.number().int().nullable(), left: z.number().int() })

/** Seats of a task for the school: list, assign and remove by hand, history of a pupil (chapter 50 §4). */
export const seatApi = api('v2', 'teaching.seat', {
  list: get('elective/seat/page', { query: seatList.query, reply: seatList.reply, ...scoped }),
  export: exportOf(seatList, 'elective/seat/export', export_scoped),
  missing: get('elective/seat/missing', { query: missingList.query, reply: missingList.reply, ...scoped }),
  exportMissing: exportOf(missingList, 'elective/seat/missing/export', export_scoped),
  events: get('elective/seat/events', {
    query: z.object({ task_id: TaskId, student_id: UserId }),
    reply: z.object({ explanation: z.array(z.string()),
      list: z.array(z.object({ at: Instant, title: z.string(), action: z.string(), by_name: z.string(), reason: z.string() })) }),
      ...scoped,
  }),
  assign: post('elective/staff/pick',
    { body: z.strictObject({ ...named, reason: elective_fields.reason }), reply: SeatState, op: 4, ...assign }),
  remove: post('elective/staff/drop',
    { body: z.strictObject({ ...named, reason: elective_fields.reason }), reply: Done, op: 4, ...assign }),
  combos: get('select_student/combo/page',
    { query: comboList.query, reply: comboList.reply
    .extend({ counts: z.array(z.object({ combo: z.string(), name: z.string(), count: z.number().int() })) }), ...scoped }),
  exportCombos: exportOf(comboList, 'select_student/combo/export', export_scoped),
  saveCombo: post('select_student/combo/save', {
    body: z.strictObject({ student_id: UserId, combo: z.string({ error: '请选择科目' }).max(8), from: Day, reason: elective_fields.reason }),
      reply: Done, op: 4, ...assign,
  }),
})

const self = { session: true, within: 'self' } as const
const Choice = z.strictObject({ student_id: UserId.optional(), offer_id: OfferId })
const MyTask = TaskRow.pick({ id: true, kind: true, name: true, mode: true, state: true, paused: true, open_at: true, close_at: true,
  drop_until: true, min_pick: true, max_pick: true, wishes: true, waitlist: true, note: true, seed_hash: true, proof_code: true })
  .extend({ student_id: UserId, student_name: z.string(), picks: z.number().int() })
const MyOffer = Offer.omit({ course_id: true, clashes: true, class_id: true, row_version: true, grades: true, sex: true, quotas: true })
  .extend({ left: z.number().int(),
    mine: z.object({ state: z.number().int(), rank: z.number().int(), wait_no: z.number().int().nullable(),
    draw_no: z.number().int().nullable() }).nullable(), why_not: z.string().nullable() })
export type MyTask = z.output<typeof MyTask>
export type MyOffer = z.output<typeof MyOffer>

/** Choosing on the phone: a pupil for himself, a parent for the child (chapter 50 §4, elective/my). */
export const choiceApi = api('v2', 'teaching.choice', {
  tasks: get('elective/my/tasks', { reply: z.object({ list: z.array(MyTask) }), ...self }),
  offers: get('elective/my/offers',
    { query: z.object({ task_id: TaskId, student_id: UserId.optional() }), reply: z.object({ list: z.array(MyOffer), now: Instant }),
    ...self }),
  pick: post('elective/my/pick', { body: Choice, reply: SeatState, op: 4, ...self }),
  drop: post('elective/my/drop', { body: Choice, reply: Done, op: 4, ...self }),
  wishes: post('elective/my/wishes',
    { body: z.strictObject({ task_id: TaskId, student_id: UserId.optional(), offer_ids: z.array(OfferId).max(10, { error: '最多10个志愿' }) }),
    reply: z.object({ wishes: z.number().int() }), op: 4, ...self }),
  verify: get('elective/draw/verify', {
    query: z.object({ code: z.string().max(60) }),
    reply: z.object({
      name: z.string(), seed_hash: z.string(), seed: z.string().nullable(), is_right: z.boolean().nullable(),
        offers: z.array(z.object({ offer_id: OfferId, title: z.string(), seats: z.number().int() })),
      lines: z.array(z.object({ order_no: z.number().int(), tail: z.string(), key: z.string(), wishes: z.array(z.string()),
        won: z.array(z.string()) })),
    }),
    open: '抽签结果公开可验，仅学号尾号',
  }),
})
