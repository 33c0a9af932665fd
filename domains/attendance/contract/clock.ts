import { UserId } from '@campus/people/contract'
import { PlaceId } from '@campus/places/contract'
import { api, choice, Day, Done, filter, firstDay, get, id, Instant, lastDay, list, page, PageQuery, post, put } from '@kit/contract'
import { z } from 'zod'

const DeptId = id('people.dept')
const LessonDayId = id('teaching.lesson_day')

/** One class on the wall: how many of those expected are there, late, missing in school, not verified. */
export const Tile = z.object({
  dept_id: DeptId, dept_name: z.string(), grade_name: z.string(), expected: z.number().int(), present: z.number().int(), late: z.number().int(), absent: z.number().int(), leave: z.number().int(),
  waiting: z.number().int(), unverified: z.number().int(), missing: z.number().int(), has_outage: z.boolean(), lesson_day_id: LessonDayId.nullable(), title: z.string(),
})
export type Tile = z.output<typeof Tile>
export const SlotTab = z.object({ key: z.string(), name: z.string(), begin: z.string(), end: z.string(), is_now: z.boolean() })
export type SlotTab = z.output<typeof SlotTab>
export const Seat = z.object({
  user_id: UserId, user_name: z.string(), state: z.number().int(), late_min: z.number().int(), in_at: Instant.nullable(), identify_type: z.number().int().nullable(), flags: z.number().int(), provisional: z.boolean(),
  expect_kind: z.number().int(), occurrence_id: z.string(),
})
export type Seat = z.output<typeof Seat>

export const alert_kinds = { missing_in_school: '在校缺课', consecutive: '连续缺勤', proxy_suspect: '疑似代打卡', unit_stuck: '考勤未结算' } as const
export const AlertRow = z.object({
  alert_id: id('attendance.alert'), kind: z.string(), user_id: UserId.nullable(), user_name: z.string().nullable(), dept_id: DeptId.nullable(), dept_name: z.string().nullable(), text: z.string(), raised_at: Instant,
  closed_at: Instant.nullable(), ack_by_name: z.string().nullable(), ack_note: z.string().nullable(), ack_at: Instant.nullable(),
})
export type AlertRow = z.output<typeof AlertRow>

export const outage_bases = { link: '设备断线', declared: '人工登记' } as const
export const OutageRow = z.object({
  outage_id: id('attendance.outage'), place_id: PlaceId.nullable(), place_name: z.string().nullable(), device_id: z.string().nullable(), device_name: z.string().nullable(), begin_at: Instant, end_at: Instant.nullable(),
  basis: z.string(), reason: z.string().nullable(), rows: z.number().int(),
})
export type OutageRow = z.output<typeof OutageRow>

export const RollPupil = z.object({
  user_id: UserId, user_name: z.string(), state: z.number().int(), in_at: Instant.nullable(), leave: z.boolean(), in_school: z.boolean(),
  claim: z.enum(['present', 'late', 'absent', 'left']),
})
export type RollPupil = z.output<typeof RollPupil>
export const claim_names = { present: '到', late: '迟到', absent: '缺勤', left: '早退' } as const
export const RollCall = z.object({
  lesson_day_id: LessonDayId, lesson_date: Day, title: z.string(), class_name: z.string(), place_name: z.string().nullable(), begin: Instant, end: Instant, state: z.enum(['none', 'draft', 'submitted']),
  taken_by_name: z.string().nullable(), taken_at: Instant.nullable(), version: z.number().int(), pupils: z.array(RollPupil),
})
export type RollCall = z.output<typeof RollCall>
const RollRow = z.strictObject({ user_id: UserId, claim: z.enum(['present', 'late', 'absent', 'left']) })

const view = { need: 'attendance.clock.view', within: 'dept' } as const
const asked = { date: filter(Day), slot: filter(z.string().regex(/^[lc]\d{1,18}$/)) }

/** The live wall of classes (chapter 55 §4). `slot`: `l3` = the third lesson, `c7` = clock slot 7; absent: what runs now. */
export const clockApi = api('v2', 'attendance.clock', {
  now: get(
    'attend/clock/now', { query: z.object({ date: filter(Day) }), reply: z.object({ date: Day, slots: z.array(SlotTab) }), ...view }
  ),
  page: get(
    'attend/clock/page',
    { query: z.object(asked), reply: z.object({ date: Day, slot: z.string().nullable(), list: z.array(Tile) }), ...view }
  ),
  ofClass: get(
    'attend/clock/class/:dept_id',
    {
      params: z.object({ dept_id: DeptId }), query: z.object(asked),
      reply: z.object({ dept_name: z.string(), lesson_day_id: LessonDayId.nullable(), list: z.array(Seat) }), ...view,
    }
  ),
})

export const alertList = list({
  title: '考勤提醒', row: AlertRow, key: 'alert_id',
  columns: {
    raised_at: { label: '时间', width: 152, kind: 'instant' }, kind: {
      label: '类型', width: 96, names: alert_kinds,
    }, user_name: { label: '姓名', width: 96 }, dept_name: { label: '班级', width: 120 }, text: { label: '说明', width: 240 },
    closed_at: {
      label: '解除时间', width: 152, kind: 'instant',
    }, ack_by_name: { label: '处理人', width: 96 }, ack_note: { label: '处理说明', width: 160 },
  },
  filters: {
    kind: choice('类型', alert_kinds), state: choice('状态', { open: '待处理', done: '已处理' }), from: firstDay('日期', 'to'), to: lastDay(),
  },
})
export const alertApi = api('v2', 'attendance.alert', {
  page: get('attend/alert/page', { query: alertList.query, reply: alertList.reply, need: 'attendance.alert.view', within: 'dept' }),
  ack: post('attend/alert/:id/ack', {
    params: z.object({ id: id('attendance.alert') }), body: z.strictObject({ note: z.string().trim().max(200, { error: '不能超过200个字' }).default('') }), reply: Done, op: 4, need: 'attendance.alert.view', within: 'dept',
  }),
})

export const outageApi = api('v2', 'attendance.outage', {
  page: get(
    'attend/outage/page',
    {
      query: PageQuery.extend({ from: filter(Day), to: filter(Day) }), reply: page(OutageRow), need: 'attendance.outage.declare',
      within: 'place',
    }
  ),
  declare: post('attend/outage/declare', {
    body: z.strictObject({
      place_id: PlaceId, begin_at: Instant, end_at: Instant,
      reason: z.string({ error: '请填写原因' }).trim().min(2, { error: '请填写原因' }).max(200, { error: '不能超过200个字' }),
    }),
    reply: Done, op: 3, need: 'attendance.outage.declare', within: 'place',
  }),
  close: post(
    'attend/outage/:id/close',
    { params: z.object({ id: id('attendance.outage') }), reply: Done, op: 4, need: 'attendance.outage.declare', within: 'place' }
  ),
})

const byLesson = z.object({ lesson_day_id: LessonDayId })
const take = { need: 'attendance.rollcall.take', within: 'own' } as const
const rows = z.array(RollRow).min(1, { error: '名单为空' }).max(400)

/** Roll-call of a lesson by its teacher; `bulk`: entered after an outage, pre-ticked from the gates (chapter 55 §3.9, §3.11). */
export const rollcallApi = api('v2', 'attendance.rollcall', {
  today: get(
    'attend/rollcall_today',
    {
      reply: z.object({ list: z.array(z.object({
        lesson_day_id: LessonDayId, title: z.string(), class_name: z.string(), place_name: z.string().nullable(), begin: Instant,
        end: Instant, state: z.string(),
      })) }),
      ...take
    }
  ),
  read: get('attend/rollcall/:lesson_day_id', { params: byLesson, reply: RollCall, ...take }),
  draft: put(
    'attend/rollcall/:lesson_day_id',
    {
      params: byLesson, body: z.strictObject({ version: z.number().int().min(0), rows }), reply: z.object({ version: z.number().int() }),
      ...take
    }
  ),
  submit: post('attend/rollcall/:lesson_day_id/submit', {
    params: byLesson, body: z.strictObject({
      version: z.number().int().min(0), rows, confirm_all: z.boolean().default(false), is_bulk: z.boolean().default(false),
      /** when it was taken, where it was kept without a line and is sent later */
      taken_at: Instant.optional(),
    }),
    reply: z.object({
      version: z.number().int(), present: z.number().int(), late: z.number().int(), absent: z.number().int(),
    }), op: 4, ...take,
  }),
})

export const run_states = { queued: '排队中', running: '重算中', done: '已完成', cancelled: '已取消', failed: '失败' } as const
export const Run = z.object({
  run_id: id('attendance.run'), date_from: Day, date_to: Day, mode: z.enum(['normal', 'force', 'verify']), state: z.string(), units_total: z.number().int(), units_done: z.number().int(), changed: z.number().int(), job_no: z.string().nullable(),
  created_at: Instant,
})
export type Run = z.output<typeof Run>
const Difference = z.object({
  lesson_date: Day, user_id: UserId, expect_kind: z.number().int(), occurrence_id: z.string(), from_state: z.number().int().nullable(),
  to_state: z.number().int().nullable(),
})

/** Judging days again as a job with progress; `verify` writes nothing and answers what differs. */
export const recomputeApi = api('v2', 'attendance.recompute', {
  start: post(
    'attend/recompute',
    {
      body: z.strictObject({ date_from: Day, date_to: Day, mode: z.enum(['normal', 'force', 'verify']).default('normal') }),
      reply: z.object({ run: Run }), need: 'attendance.recompute.run',
    }
  ),
  read: get(
    'attend/run/:id',
    {
      params: z.object({ id: id('attendance.run') }), reply: z.object({ run: Run, diff: z.array(Difference) }),
      need: 'attendance.recompute.run',
    }
  ),
})
