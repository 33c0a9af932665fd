import { UserId } from '@campus/people/contract'
import { api, choice, Day, Done, exportOf, firstDay, get, id, Instant, keyword, lastDay, list, post } from '@kit/contract'
import { z } from 'zod'
import { change_kinds, order_states } from './dictionary.ts'
import { DayLesson } from './lesson.ts'
import { Teacher } from './teaching.ts'

const LessonDayId = id('teaching.lesson_day')
const OrderId = id('teaching.change')
const longest_span = 62
const Reason = z.string({ error: '请填写原因' }).trim().min(1, { error: '请填写原因' }).max(200, { error: '原因不能超过200个字' })
const ToSection = z.number({ error: '请选择节次' }).int().min(1, { error: '节次为1至16' }).max(16, { error: '节次为1至16' })

/** A lesson whose teacher is absent. */
export const CoverNeed = z.object({
  key: z.string(), lesson: DayLesson, teacher: Teacher, state: z.number().int(), cover_name: z.string().nullable(),
    order_id: OrderId.nullable(), begun: z.boolean(),
})
export type CoverNeed = z.output<typeof CoverNeed>
/** Somebody free for a lesson, with the reasons that rank him (chapter 50 rule 31). */
export const Proposal = z.object({ user_id: UserId, user_name: z.string(), score: z.number().int(), reasons: z.array(z.string()) })
export type Proposal = z.output<typeof Proposal>

/** Teachers of a chain: the first takes the lesson, each further one what the one before him would have taught then. */
export const Chain = z.object({ teacher_ids: z.array(UserId), text: z.string(), score: z.number().int() })
export type Chain = z.output<typeof Chain>

/** A lesson that a teacher is asked to take, or to swap. */
export const AskedCover = z.object({ id: OrderId, kind: z.number().int(), lesson: DayLesson, from_name: z.string(), by_name: z.string(),
  reason: z.string(), /** the lesson that is given in return; null for a cover */ other: DayLesson.nullable() })
export type AskedCover = z.output<typeof AskedCover>

/** A change that I asked for: `target` says what becomes of the lesson, `waits_for` who has to answer (chapter 50 §2). */
export const ChangeRequest = z.object({ id: OrderId, order_no: z.string(), kind: z.number().int(), state: z.number().int(),
  lesson: DayLesson, target: z.string(), waits_for: z.string(), reason: z.string(), answer: z.string(), may_withdraw: z.boolean() })
export type ChangeRequest = z.output<typeof ChangeRequest>

const Order = z.object({
  id: OrderId, order_no: z.string(), kind: z.number().int(), state: z.number().int(), date: Day, section: z.number().int(),
    class_name: z.string(), course_name: z.string(),
  from_name: z.string(), to_name: z.string(), reason: z.string(), by_name: z.string(), applied_at: Instant, may_undo: z.boolean(),
})
export type ChangeOrder = z.output<typeof Order>

/** Changes of dated lessons, the latest first. */
export const changeList = list({
  title: '调课代课', unit: '单', row: Order, key: 'id',
  columns: {
    order_no: { label: '单号', width: 136 }, kind: { label: '类型', width: 88, names: change_kinds },
      date: { label: '日期', width: 112, kind: 'day' },
    section: { label: '节次', width: 72, text: row => `第${row.section}节` }, class_name: { label: '班级', width: 120 },
      course_name: { label: '课程', width: 112 },
    from_name: { label: '原教师', width: 104 }, to_name: { label: '现安排', width: 128 }, reason: { label: '原因', width: 160 },
      by_name: { label: '办理人', width: 96 },
    applied_at: { label: '办理时间', width: 136, kind: 'instant' }, state: { label: '状态', width: 80, names: order_states },
  },
  filters: {
    keyword: keyword('单号/教师姓名'), kind: choice('类型', change_kinds), state: choice('状态', order_states), from: firstDay('日期', 'to'),
      to: lastDay(),
  },
})
const Ledger = z.object({ user_id: UserId, user_name: z.string(), given: z.number().int(), received: z.number().int(),
  net: z.number().int() })
/** Covers that teachers gave and received (chapter 50 rule 33). */
export const ledgerList = list({
  title: '代课统计', unit: '人', row: Ledger, key: 'user_id',
  columns: {
    user_name: { label: '教师', width: 160 }, given: { label: '代课', unit: '节', width: 104, kind: 'number' },
      received: { label: '被代', unit: '节', width: 104, kind: 'number' },
    net: { label: '净代课', unit: '节', width: 104, kind: 'number' },
  },
  filters: { keyword: keyword('教师姓名'), from: firstDay('日期', 'to'), to: lastDay() },
})

const view = { need: 'teaching.change.view' } as const
const apply = { need: 'teaching.change.apply' } as const
const decide = { need: 'teaching.change.approve' } as const
const span = z.object({ from: Day, to: Day, state: z.enum(['open', 'all']).default('open') })
  .refine(({ from, to }) => from <= to && (Date.parse(to) - Date.parse(from)) / 86_400_000 < longest_span,
    { path: ['to'], error: '请选择不超过62天的日期' })
const lesson = { date: Day, lesson_day_id: LessonDayId }

/** Changes of dated lessons: what absences leave open, who may take it, orders and their undo (chapter 50 §3.5). */
export const changeApi = api('v2', 'teaching.change', {
  needs: get('lesson_change/needs', { query: span, reply: z.object({ list: z.array(CoverNeed), open: z.number().int() }), ...view }),
  proposals: get('lesson_change/proposals',
    { query: z.object(lesson), reply: z.object({ lesson: DayLesson, list: z.array(Proposal), chains: z.array(Chain) }), ...view }),
  /** cover by a teacher, self-study under one, or the lesson falls out */
  cover: post('lesson_change/cover', {
    body: z.strictObject({ ...lesson, kind: z.union([z.literal(1), z.literal(4), z.literal(7)]).default(1),
      teacher_id: UserId.nullable().default(null), absent_id: UserId.nullable().default(null), reason: Reason,
      /** the teacher is asked first; the lesson changes when he agrees */
      ask: z.boolean().default(false) })
      .refine(one => one.kind === 4 || one.teacher_id !== null, { path: ['teacher_id'], error: '请选择教师' }),
    reply: z.object({ order_id: OrderId }), op: 4, ...apply,
  }),
  swap: post('lesson_change/swap',
    { body: z.strictObject({ ...lesson, other_date: Day, other_id: LessonDayId, reason: Reason }), reply: z.object({ order_id: OrderId }),
    op: 4, ...apply }),
  move: post('lesson_change/move', {
    body: z.strictObject({ ...lesson, to_date: Day, to_section: ToSection, reason: Reason }),
    reply: z.object({ order_id: OrderId }), op: 4, ...apply,
  }),
  chain: post('lesson_change/chain', {
    body: z.strictObject({ ...lesson, absent_id: UserId.nullable().default(null), teacher_ids: z.array(UserId)
      .min(2, { error: '请选择两至三位教师' }).max(3, { error: '请选择两至三位教师' }), reason: Reason,
      /** every teacher of the chain is asked first */
      ask: z.boolean().default(false) }),
    reply: z.object({ order_id: OrderId }), op: 4, ...apply,
  }),
  dismiss: post('lesson_change/dismiss', { body: z.strictObject({ ...lesson, teacher_id: UserId }), reply: Done, op: 4, ...apply }),
  autoCover: post('lesson_change/auto_cover',
    { body: z.strictObject({ date: Day }), reply: z.object({ arranged: z.number().int(), left: z.array(z.string()),
      command_id: OrderId.nullable() }), op: 4, ...apply }),
  /** what one 一键安排 arranged, by its command_id; what has begun stays */
  undoAuto: post('lesson_change/undo_auto/:id',
    { params: z.object({ id: OrderId }), reply: z.object({ undone: z.number().int(), begun: z.number().int() }), op: 4, ...apply }),
  /** covers that wait for my consent */
  mine: get('lesson_change/my', { reply: z.object({ list: z.array(AskedCover) }), session: true, within: 'self' }),
  answer: post('lesson_change/answer/:id', {
    params: z.object({ id: OrderId }),
    body: z.strictObject({ agreed: z.boolean(), text: z.string().trim().max(200, { error: '说明不能超过200个字' }).default('') }),
    reply: Done, op: 4, session: true, within: 'self',
  }),
  /** 申请调课: a swap of an own lesson with another one of the class, or its move; the other teacher agrees, the office approves */
  add: post('lesson_change/add', {
    body: z.strictObject({ ...lesson, kind: z.union([z.literal(2), z.literal(3)]), other_date: Day,
      other_id: LessonDayId.nullable().default(null), to_section: ToSection.nullable().default(null), reason: Reason })
      .refine(one => one.kind !== 2 || one.other_id !== null, { path: ['other_id'], error: '请选择对调的课' })
      .refine(one => one.kind !== 3 || one.to_section !== null, { path: ['to_section'], error: '请选择节次' }),
    reply: z.object({ order_id: OrderId, state: z.number().int() }), session: true, within: 'self',
  }),
  /** what I asked for, the latest first */
  requests: get('lesson_change/requests', { reply: z.object({ list: z.array(ChangeRequest) }), session: true, within: 'self' }),
  /** lessons of the class of an own lesson on a date, with which it may be swapped */
  partners: get('lesson_change/partners', { query: z.object({ ...lesson, other_date: Day }), reply: z.object({ list: z.array(DayLesson) }),
    session: true, within: 'self' }),
  withdraw: post('lesson_change/withdraw/:id', { params: z.object({ id: OrderId }), reply: Done, op: 4, session: true, within: 'self' }),
  approve: post('lesson_change/approve/:id', { params: z.object({ id: OrderId }), reply: Done, op: 8, ...decide }),
  refuse: post('lesson_change/refuse/:id', {
    params: z.object({ id: OrderId }),
    body: z.strictObject({ text: z.string({ error: '请填写驳回的原因' }).trim().min(1, { error: '请填写驳回的原因' })
      .max(200, { error: '原因不能超过200个字' }) }),
    reply: Done, op: 8, ...decide,
  }),
  undo: post('lesson_change/undo/:id', { params: z.object({ id: OrderId }), reply: Done, op: 4, ...apply }),
  list: get('lesson_change/page', { query: changeList.query, reply: changeList.reply, ...view }),
  export: exportOf(changeList, 'lesson_change/export', { need: 'teaching.change.export' }),
  ledger: get('lesson_change/ledger', { query: ledgerList.query, reply: ledgerList.reply, ...view }),
  exportLedger: exportOf(ledgerList, 'lesson_change/ledger/export', { need: 'teaching.change.export' }),
})
