import { UserId } from '@campus/people/contract'
import { grade_codes } from '@campus/calendar/contract'
import { api, choice, Day, del, dictionaryCode, Done, get, id, Instant, keyword, list, post, put } from '@kit/contract'
import { z } from 'zod'
import { CourseId } from './course.ts'
import { elective_kinds, elective_modes, elective_states } from './dictionary.ts'
import { ClassId, SemesterId, Teacher } from './teaching.ts'
import { PlaceId } from './timetable.ts'

export const TaskId = id('teaching.elective')
export const OfferId = id('teaching.offer')
const most_offers = 300
const most_slots = 10
const Reason = z.string({ error: '请填写原因' }).trim().min(1, { error: '请填写原因' }).max(200, { error: '原因不能超过200个字' })
const Kind = z.union([z.literal(1), z.literal(2), z.literal(3)])
const Mode = z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)])
const Time = z.iso.datetime({ offset: true, error: '请选择时间' })
const Grade = z.enum(grade_codes)
const count = (label: string, min: number, max: number) => z.number({ error: `请填写${label}` }).int({ error: `${label}为${min}至${max}的整数` })
  .min(min, { error: `${label}为${min}至${max}的整数` }).max(max, { error: `${label}为${min}至${max}的整数` })

const task_fields = {
  kind: Kind.default(2), semester_id: SemesterId,
  name: z.string({ error: '请填写名称' }).trim().min(1, { error: '请填写名称' }).max(40, { error: '名称不能超过40个字' }),
  mode: Mode.default(1), open_at: Time, close_at: Time, drop_until: Time.nullable().default(null),
  grades: z.array(Grade).min(1, { error: '请选择年级' })
    .max(18), min_pick: count('最少门数', 0, 10).default(0), max_pick: count('最多门数', 1, 10).default(1),
  wishes: count('志愿个数', 1, 10).default(3), waitlist: z.boolean().default(false), note: z.string().trim()
    .max(300, { error: '说明不能超过300个字' }).default(''),
}
type Draft = { open_at: string; close_at: string; drop_until: string | null; min_pick: number; max_pick: number; kind: number }
function checkTask(draft: Draft, context: z.RefinementCtx): void {
  const issue = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
  if (Date.parse(draft.close_at) <= Date.parse(draft.open_at)) issue('close_at', '结束时间须晚于开始时间')
  if (draft.drop_until !== null && Date.parse(draft.drop_until) < Date.parse(draft.open_at)) issue('drop_until', '退选截止不能早于开始时间')
  if (draft.min_pick > draft.max_pick) issue('min_pick', '最少门数不能大于最多门数')
  if (draft.kind === 1 && draft.max_pick !== 1) issue('max_pick', '选科任务只能选择一个组合')
}
const TaskDraft = z.strictObject(task_fields).superRefine(checkTask)
const TaskPatch = z.strictObject({ ...task_fields, row_version: z.number().int() }).superRefine(checkTask)

export const TaskRow = z.object({
  id: TaskId, kind: z.number().int(), semester_id: z.number().int(), semester_name: z.string(), name: z.string(), mode: z.number().int(),
    state: z.number().int(), paused: z.boolean(),
  open_at: Instant, close_at: Instant, drop_until: Instant.nullable(), grades: z.array(z.string()), min_pick: z.number().int(),
    max_pick: z.number().int(), wishes: z.number().int(), waitlist: z.boolean(), note: z.string(),
  offers: z.number().int(), capacity: z.number().int(), taken: z.number().int(), chosen: z.number().int(), audience: z.number().int(),
    classes: z.number().int(),
  seed_hash: z.string().nullable(), seed: z.string().nullable(), drawn_at: Instant.nullable(), proof_code: z.string().nullable(),
    void_reason: z.string().nullable(), row_version: z.number().int(),
})
export type TaskRow = z.output<typeof TaskRow>

/** Tasks in which pupils choose courses. */
export const taskList = list({
  title: '选课任务', unit: '个', row: TaskRow, key: 'id',
  columns: {
    name: { label: '名称', width: 200 },
    kind: { label: '类型', width: 112, names: elective_kinds },
    mode: { label: '方式', width: 96, names: elective_modes },
    semester_name: { label: '学期', width: 184 },
    grades: { label: '对象', width: 120, text: row => row.grades.join('；') },
    open_at: { label: '开始时间', width: 136, kind: 'instant' },
    close_at: { label: '结束时间', width: 136, kind: 'instant' },
    state: { label: '状态', width: 88, names: elective_states },
    taken: { label: '已选/名额', width: 168, text: row => `${row.taken}/${row.capacity}` },
    chosen: { label: '已选人数', width: 112, text: row => `${row.chosen}/${row.audience}` },
  },
  filters: { keyword: keyword('任务名称'), kind: choice('类型', elective_kinds), grade: dictionaryCode('年级', 'GRADE') },
})

const Slot = z.strictObject({ weekday: count('星期', 1, 7), section: count('节次', 1, 16) })
export type Slot = z.output<typeof Slot>
const most_quotas = 40
const QuotaDraft = z.strictObject({ dim: z.enum(['grade', 'dept', 'sex']), value: z.string().min(1, { error: '请选择对象' }).max(20),
  cap: count('名额', 0, 5000) })
const offer_fields = {
  title: z.string({ error: '请填写名称' }).trim().min(1, { error: '请填写名称' }).max(30, { error: '名称不能超过30个字' }),
  course_id: CourseId.nullable().default(null), combo: z.string()
    .regex(/^\d{2},\d{2},\d{2}$/u, { error: '请选择三门科目' }).nullable().default(null),
  teacher_ids: z.array(UserId).max(5, { error: '最多选择5位教师' }).default([]), place_id: PlaceId.nullable().default(null), slots: z.array(Slot)
    .max(most_slots, { error: '最多10个时段' }).default([]),
  grades: z.array(Grade)
    .max(18).default([]), sex: z.enum(['1', '2']).nullable().default(null), group_no: count('互斥组', 1, 20).nullable().default(null),
  capacity: count('名额', 1, 5000), note: z.string().trim().max(300, { error: '说明不能超过300个字' }).default(''),
  quotas: z.array(QuotaDraft).max(most_quotas, { error: '最多40条名额分配' }).default([]),
}
/** Seats of an offer kept for a grade, a class (dept id) or a sex. */
export const Quota = z.object({ dim: z.enum(['grade', 'dept', 'sex']), value: z.string(), cap: z.number().int(), taken: z.number().int() })
export type Quota = z.output<typeof Quota>
export const Offer = z.object({
  id: OfferId, task_id: TaskId, title: z.string(), course_id: CourseId.nullable(), course_name: z.string().nullable(),
    combo: z.string().nullable(), teachers: z.array(Teacher), place_id: PlaceId.nullable(), place_name: z.string().nullable(),
  slots: z.array(Slot), grades: z.array(z.string()), sex: z.string().nullable(), group_no: z.number().int().nullable(),
    clashes: z.array(OfferId), capacity: z.number().int(), taken: z.number().int(), waitlisted: z.number().int(),
  wished: z.number().int(), class_id: ClassId.nullable(), note: z.string(), row_version: z.number().int(), quotas: z.array(Quota),
})
export type Offer = z.output<typeof Offer>

const byTask = z.object({ id: TaskId })
const view = { need: 'teaching.elective.view' } as const
const edit = { need: 'teaching.elective.edit' } as const
const change = { op: 4, ...edit } as const
const Saved = z.object({ row: TaskRow })

/** Tasks of choosing (chapter 50 §4): from draft to the announced result. */
export const electiveApi = api('v2', 'teaching.elective', {
  list: get('elective/task/page', { query: taskList.query, reply: taskList.reply, ...view }),
  read: get('elective/task/:id', { params: byTask, reply: z.object({ row: TaskRow, offers: z.array(Offer) }), ...view }),
  add: post('elective/task/add', { body: TaskDraft, reply: Saved, ...edit }),
  update: put('elective/task/update/:id', { params: byTask, body: TaskPatch, reply: Saved, ...edit }),
  remove: del('elective/task/delete/:id', { params: byTask, reply: Done, ...edit }),
  publish: post('elective/task/publish/:id', { params: byTask, reply: Saved, ...change }),
  pause: post('elective/task/pause/:id', { params: byTask, body: z.strictObject({ paused: z.boolean() }), reply: Saved, ...change }),
  reopen: post('elective/task/reopen/:id', { params: byTask, body: z.strictObject({ close_at: Time }), reply: Saved, ...change }),
  /** the name is typed again once pupils have chosen */
  void: post('elective/task/void/:id',
    { params: byTask, body: z.strictObject({ reason: Reason, name: z.string().max(40).default('') }), reply: Saved, ...change }),
  draw: post('elective/task/draw/:id',
    { params: byTask, reply: z.object({ won: z.number().int(), lost: z.number().int(), seed: z.string() }), op: 4,
    need: 'teaching.elective.draw' }),
  announce: post('elective/task/confirm/:id', { params: byTask, body: z.strictObject({ from: Day }), reply: Saved, ...change }),
  makeClasses: post('elective/task/make_classes/:id',
    { params: byTask, body: z.strictObject({ from: Day }), reply: z.object({ classes: z.number().int(), students: z.number().int() }),
    ...change }),
})

/** What a task offers: course, teacher, place, time, seats, conditions. */
export const offerApi = api('v2', 'teaching.offer', {
  list: get('elective/offer/list',
    { query: z.object({ task_id: TaskId }), reply: z.object({ list: z.array(Offer).max(most_offers) }), ...view }),
  add: post('elective/offer/add',
    { body: z.strictObject({ task_id: TaskId, ...offer_fields }), reply: z.object({ offer: Offer }), ...edit }),
  update: put('elective/offer/update/:id',
    { params: z.object({ id: OfferId }), body: z.strictObject({ ...offer_fields, row_version: z.number().int() }),
    reply: z.object({ offer: Offer }), ...edit }),
  remove: del('elective/offer/delete/:id', { params: z.object({ id: OfferId }), reply: Done, ...edit }),
  /** the twelve combinations of three subjects that are missing yet */
  combos: post('elective/offer/combos',
    { body: z.strictObject({ task_id: TaskId, capacity: offer_fields.capacity }), reply: z.object({ made: z.number().int() }), ...change }),
})
/** The fields by themselves, for the rules of the forms. */
export const elective_fields = { ...task_fields, capacity: offer_fields.capacity, title: offer_fields.title, reason: Reason }
