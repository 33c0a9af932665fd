import { DeptId, UserId } from '@campus/people/contract'
import { api, carried, choice, Day, Done, exportOf, flag, firstDay, get, id, Instant, keyword, lastDay, list, post, QueryFlag, reference } from '@kit/contract'
import { z } from 'zod'
import { LEAVE_STATE, LEAVE_STUDENT, leaveTypeName } from './dictionary.ts'
import { AskedSpan, EffectPreview, FormId, StepShown } from './form.ts'
import { ReasonCode } from './reason.ts'

/** People in one group leave, spans in one series, files of one leave (chapter 70 §1.1). */
export const most_members = 500
export const most_spans = 60
export const most_files = 9

export const LeaveId = id('leave.apply')
const Reason = z.string({ error: '请填写事由' }).trim().min(2, { error: '事由至少2个字' }).max(200, { error: '超过200个字' })
const Spans = z.array(AskedSpan).min(1, { error: '请选择时间' }).max(most_spans, { error: `最多${most_spans}段` })

/** What somebody asks for. */
export const LeaveDraft = z.strictObject({
  form_id: FormId,
  leave_type: z.string({ error: '请选择假别' }).min(1, { error: '请选择假别' }).max(4),
  reason_code: ReasonCode,
  reason: Reason,
  spans: Spans,
  user_ids: z.array(UserId).min(1, { error: '请选择人员' }).max(most_members, { error: `一次最多${most_members}人` }),
  attach_keys: z.array(z.string().max(200)).max(most_files, { error: `最多${most_files}个文件` }).default([]),
  dest: z.string().trim().max(100, { error: '超过100个字' }).optional(),
  contact_mobile: z.string().trim().regex(/^1\d{10}$/, { error: '手机号格式不正确' }).optional(),
  exit_mode: z.number().int().min(0).max(2).optional(),
  pickup_id: UserId.optional(),
  /** the application that was sent back and is asked for anew */
  prev_leave_id: LeaveId.optional(),
})
export type LeaveDraft = z.output<typeof LeaveDraft>

/** What an application would mean, before it is sent. */
export const LeavePreview = z.object({
  minutes: z.number().int(), school_days: z.number(), lessons: z.number().int(),
  spans: z.array(z.object({ begin_at: Instant, end_at: Instant })),
  overlap: z.string().nullable(),
  refusal: z.string().nullable(),
  steps: z.array(StepShown),
  no_approval: z.boolean(),
  effects: z.array(EffectPreview),
})
export type LeavePreview = z.output<typeof LeavePreview>

/** One person on leave in the list. */
export const LeaveRow = z.object({
  row_id: z.string(),
  leave_id: LeaveId,
  leave_no: z.string(),
  user_id: UserId,
  user_name: z.string(),
  user_no: z.string(),
  dept_id: DeptId.nullable(),
  dept_name: z.string().nullable(),
  person_kind: z.number().int(),
  leave_type: z.string(),
  reason_name: z.string(),
  /** null for whoever may not read it (chapter 70 L14) */
  reason: z.string().nullable(),
  begin_at: Instant,
  end_at: Instant,
  spans: z.number().int(),
  school_days: z.number(),
  lessons: z.number().int(),
  members: z.number().int(),
  state: z.number().int(),
  changing: z.boolean(),
  out_at: Instant.nullable(),
  back_at: Instant.nullable(),
  handler: z.string().nullable(),
  effects_done: z.number().int(),
  effects: z.number().int(),
  submitted_at: Instant,
})
export type LeaveRow = z.output<typeof LeaveRow>

const minute = (instant: string) => new Date(Date.parse(instant) + 8 * 3_600_000).toISOString().slice(0, 16).replace('T', ' ')
const state_names: Readonly<Record<string, string>> = LEAVE_STATE.names
/** The words of a state. */
export const stateName = (state: number): string => state_names[String(state)] ?? ''
/** Begin and end by the school's clock; the day once where both lie on it. */
export const spanText = ({ begin_at, end_at }: { begin_at: string; end_at: string }): string => {
  const [begin, end] = [minute(begin_at), minute(end_at)]
  return begin.slice(0, 10) === end.slice(0, 10) ? `${begin} 至 ${end.slice(11)}` : `${begin} 至 ${end}`
}
const tab_names = { out: '今日在外', wait: '待审批', all: '全部' } as const
export type LeaveTab = keyof typeof tab_names

/** 学生请假记录: screen, sheet and print. */
export const leaveList = list({
  title: '学生请假记录', row: LeaveRow, key: 'row_id', is_about_people: true,
  columns: {
    leave_no: { label: '请假单号', width: 128 },
    user_name: { label: '学生', width: 84 },
    user_no: { label: '学号', width: 104 },
    dept_name: { label: '班级', width: 104 },
    leave_type: { label: '假别', width: 92, text: row => leaveTypeName(row.person_kind, row.leave_type) },
    reason_name: { label: '原因', width: 92 },
    reason: { label: '事由', width: 160 },
    span: { label: '起止', width: 236, text: row => spanText(row) + (row.spans > 1 ? `（共${row.spans}段）` : '') },
    lessons: { label: '时长', width: 96, text: row => `${row.school_days}天 ${row.lessons}节` },
    state: { label: '状态', width: 92, text: row => stateName(row.state) },
    out_at: { label: '离校时间', width: 132, kind: 'instant' },
    back_at: { label: '返校时间', width: 132, kind: 'instant' },
    handler: { label: '经手', width: 84 },
    effects: { label: '影响', width: 64, text: row => (row.effects === 0 ? '' : `${row.effects_done}/${row.effects}`) },
    submitted_at: { label: '提交时间', width: 132, kind: 'instant' },
  },
  filters: {
    keyword: keyword('姓名/学号/请假单号'),
    type: choice('假别', LEAVE_STUDENT.names),
    state: choice('状态', LEAVE_STATE.names),
    from: firstDay('日期', 'to'),
    to: lastDay(),
    overdue: flag('超时未返'),
    dept_id: reference('班级', 'people.dept', DeptId),
    tab: carried('范围', z.enum(['out', 'wait', 'all']), tab_names),
    kind: carried('', z.enum(['1', '2', '6'])),
    user_id: carried('', UserId),
  },
})

/** What stands above the list: who is on leave today, outside, waits, late. */
export const LeaveToday = z.object({
  by_type: z.array(z.object({ leave_type: z.string(), people: z.number().int() })),
  by_grade: z.array(z.object({ grade: z.string(), people: z.number().int() })),
  people: z.number().int(), outside: z.number().int(), waiting: z.number().int(), overdue: z.number().int(),
})
export type LeaveToday = z.output<typeof LeaveToday>

const SpanShown = z.object({ no: z.number().int(), begin_at: Instant, end_at: Instant, minutes: z.number().int(), school_days: z.number(), lessons: z.number().int() })
const TaskShown = z.object({ task_id: id('leave.task'), version: z.number().int(), seq: z.number().int(), user_name: z.string(), via: z.number().int(), state: z.number().int(), opinion: z.string().nullable(), created_at: Instant, done_at: Instant.nullable(), is_mine: z.boolean() })
export const leave_acts = ['withdraw', 'cancel', 'change', 'extend', 'end_early', 'return', 'void'] as const
export type LeaveAct = (typeof leave_acts)[number]
const EffectShown = z.object({ effect: z.string(), title: z.string(), text: z.string(), count: z.number().int(), state: z.number().int(), undoable: z.boolean(), done_at: Instant.nullable() })

/** One leave whole: members, spans, flow, versions, receipts. */
export const LeaveFile = z.object({
  leave_id: LeaveId, leave_no: z.string(), form_name: z.string(), form_version: z.number().int(), person_kind: z.number().int(), leave_type: z.string(), reason_code: ReasonCode, reason_name: z.string(),
  reason: z.string().nullable(), dest: z.string().nullable(), contact_mobile: z.string().nullable(), attachments: z.array(z.object({ key: z.string(), url: z.string() })).nullable(),
  exit_mode: z.number().int(), pickup_name: z.string().nullable(), state: z.number().int(), fact_version: z.number().int(), cur_seq: z.number().int().nullable(), apply_by_name: z.string(), apply_as: z.number().int(), submitted_at: Instant, void_reason: z.string().nullable(),
  members: z.array(z.object({ user_id: UserId, user_name: z.string(), dept_name: z.string().nullable(), state: z.number().int(), out_at: Instant.nullable(), back_at: Instant.nullable(), back_basis: z.number().int().nullable(), spans: z.array(SpanShown) })),
  steps: z.array(StepShown),
  tasks: z.array(TaskShown),
  versions: z.array(z.object({ version: z.number().int(), kind: z.number().int(), state: z.number().int(), reason: z.string().nullable(), by_name: z.string().nullable(), at: Instant, spans: z.array(z.object({ begin_at: Instant, end_at: Instant })) })),
  effects: z.array(EffectShown),
  open_version: z.number().int().nullable(),
  allowed: z.array(z.enum(leave_acts)),
})
export type LeaveFile = z.output<typeof LeaveFile>

const One = { leave_id: LeaveId, reason: Reason.optional() }
const Changed = z.strictObject({ leave_id: LeaveId, spans: Spans, reason: Reason })
const Some = { ...One, user_ids: z.array(UserId).max(most_members).optional() }
const State = z.object({ leave_id: LeaveId, state: z.number().int(), fact_version: z.number().int() })
export type LeaveStateReply = z.output<typeof State>

/** Bodies of the acts on a leave, for the console and for the phone alike. */
export const actBodies = {
  withdraw: z.strictObject(One),
  cancel: z.strictObject(One),
  change: Changed,
  extend: Changed,
  end_early: z.strictObject({ leave_id: LeaveId, end: Instant, reason: Reason.optional() }),
  return: z.strictObject({ ...Some, at: Instant.optional() }),
}
export const ActReply = State

const view = { need: 'leave.apply.view', within: 'dept' } as const
const add = { need: 'leave.apply.add', within: 'dept' } as const
const cancel = { need: 'leave.apply.cancel', within: 'dept', op: 4 } as const
const change = { need: 'leave.apply.change', within: 'dept', op: 4 } as const

/** What a form needs to be filled in: the forms that run, and the reasons. */
export const LeaveOptions = z.object({
  forms: z.array(z.object({ form_id: FormId, form_name: z.string(), person_kind: z.number().int(), leave_types: z.array(z.string()), unit: z.number().int(), exit_mode: z.number().int(), attach_from_days: z.number().int().nullable() })),
  reasons: z.array(z.object({ reason_code: ReasonCode, reason_name: z.string(), person_kinds: z.array(z.number().int()), leave_types: z.array(z.string()), need_attach: z.boolean(), need_pickup: z.boolean(), default_minutes: z.number().int().nullable() })),
})
export type LeaveOptions = z.output<typeof LeaveOptions>
const OfPerson = z.object({ user_id: UserId })

/** Applications of leave, and every act on them (chapter 70 §4). */
export const applyApi = api('leave', 'leave.apply', {
  options: get('apply/options', { reply: LeaveOptions, ...add }),
  pickups: get('apply/pickups', { query: OfPerson, reply: z.object({ list: z.array(z.object({ user_id: UserId, user_name: z.string(), relation: z.string() })) }), ...add }),
  preview: post('apply/preview', { body: LeaveDraft, reply: LeavePreview, reads: true, unlogged: '提交前预览，不改变数据', ...add }),
  add: post('apply/add', { body: LeaveDraft, reply: State.extend({ leave_no: z.string() }), ...add }),
  page: post('apply/page', { body: leaveList.query, reply: leaveList.reply, reads: true, unlogged: '列表查询', ...view }),
  export: exportOf(leaveList, 'apply/export', { need: 'leave.apply.export', within: 'dept' }),
  today: get('apply/today', { query: z.object({ dept_id: DeptId.optional(), include_sub: QueryFlag.optional() }), reply: LeaveToday, ...view }),
  read: get('apply/:leave_id', { params: z.object({ leave_id: LeaveId }), reply: LeaveFile, ...view }),
  effects: get('apply/:leave_id/effects', { params: z.object({ leave_id: LeaveId }), reply: z.object({ list: z.array(EffectShown) }), ...view }),
  withdraw: post('apply/withdraw', { body: actBodies.withdraw, reply: State, ...cancel }),
  cancel: post('apply/cancel', { body: actBodies.cancel, reply: State, ...cancel }),
  change: post('apply/change', { body: actBodies.change, reply: State, ...change }),
  extend: post('apply/extend', { body: actBodies.extend, reply: State, ...change }),
  endEarly: post('apply/end_early', { body: actBodies.end_early, reply: State, ...change }),
  return: post('apply/return', { body: actBodies.return, reply: State, need: 'leave.apply.return', within: 'dept', op: 4 }),
  void: post('apply/void', { body: z.strictObject({ leave_id: LeaveId, reason: Reason }), reply: State, need: 'leave.apply.void', within: 'dept', op: 5 }),
  retry: post('apply/effect/retry', { body: z.strictObject({ leave_id: LeaveId, effect: z.string().max(20) }), reply: Done, need: 'leave.effect.edit', within: 'dept', op: 4 }),
})

/** A day of a class in the week ribbon: how many are on leave of which type. */
const RibbonCell = z.object({ day: Day, dept_id: DeptId, leave_type: z.string(), people: z.number().int() })
export const Ribbon = z.object({ from: Day, days: z.array(Day), classes: z.array(z.object({ dept_id: DeptId, dept_name: z.string() })), cells: z.array(RibbonCell) })
export type Ribbon = z.output<typeof Ribbon>
