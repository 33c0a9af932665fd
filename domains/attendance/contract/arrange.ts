import { UserId } from '@campus/people/contract'
import { PlaceId } from '@campus/places/contract'
import { api, Day, del, Done, filter, get, id, Instant, page, PageQuery, post, put } from '@kit/contract'
import { z } from 'zod'
import { RuleId } from './rule.ts'

const ArrangeId = id('attendance.arrange')
const DeptId = id('people.dept')
/** What an arrange reaches; the number behind it is the id of that thing, of a stage its code, of the school 0. */
export const scope_kinds = { '1': '全校', '2': '学段', '3': '年级', '4': '班级', '5': '课程', '6': '教学班', '7': '场所', '8': '人员' } as const
export const point_uses = { both: '课程和班级打卡', lesson: '只用于课程', clock: '只用于班级打卡', none: '不计考勤' } as const

const Clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: '请填写时间' })
const SemesterId = z.coerce.number().int().min(1).max(2_147_483_647)
const Section = z.number().int().min(1).max(16).nullable().default(null)

export const SlotDraft = z.strictObject({
  slot_id: id('attendance.slot').nullable().default(null), slot_name: z.string({ error: '请填写时段名称' }).trim().min(1, { error: '请填写时段名称' }).max(12, { error: '不能超过12个字' }),
  begin: Clock, end: Clock, day_kinds: z.array(z.number().int().min(1).max(10)).min(1, { error: '请选择日期类型' }).max(10).default([8, 3, 9]), need_out: z.boolean().default(false),
}).refine(slot => slot.begin !== slot.end, { error: '开始和结束不能相同', path: ['end'] })

const editable = {
  arrange_name: z.string({ error: '请填写安排名称' }).trim().min(1, { error: '请填写安排名称' }).max(40, { error: '不能超过40个字' }),
  rule_id: RuleId, section_from: Section, section_to: Section, valid_from: Day, /** the last day */ valid_to: Day, enabled: z.boolean().default(true), slots: z.array(SlotDraft).max(12).default([]),
  /** asked for when it reaches days that were */
  reason: z.string().trim().max(200).default(''),
}
const inOrder = (
  {
    valid_from, valid_to, section_from, section_to,
  }: { valid_from: string; valid_to: string; section_from: number | null; section_to: number | null },
  context: z.RefinementCtx
) => {
  if (valid_to < valid_from) context.addIssue({ code: 'custom', path: ['valid_to'], message: '结束日期不能早于开始日期' })
  if ((section_from === null) !== (section_to === null) || (section_from !== null && section_to !== null && section_to < section_from)) context.addIssue({
    code: 'custom', path: ['section_to'], message: '请填写正确的节次范围',
  })
}
export const ArrangeDraft = z.strictObject({
  semester_id: SemesterId, scope_kind: z.number().int().min(1).max(8), scope_id: z.string().regex(/^\d{1,18}$/, { error: '请选择范围' }),
  ...editable,
}).superRefine(inOrder)
export const ArrangePatch = z.strictObject({ ...editable, row_version: z.number().int() }).superRefine(inOrder)

const Slot = z.object({
  slot_id: z.string(), slot_name: z.string(), begin: z.string(), end: z.string(), day_kinds: z.array(z.number().int()),
  need_out: z.boolean(),
})
export const ArrangeRow = z.object({
  arrange_id: ArrangeId, arrange_name: z.string(), rule_id: RuleId, rule_name: z.string(), person_kind: z.number().int(), kind: z.enum(['course', 'clock']), scope_kind: z.number().int(), scope_id: z.string(),
  scope_name: z.string(), section_from: z.number().int().nullable(), section_to: z.number().int().nullable(), semester_id: z.number().int(), valid_from: Day, valid_to: Day, enabled: z.boolean(), slots: z.array(Slot),
  row_version: z.number().int(),
})
export type ArrangeRow = z.output<typeof ArrangeRow>

/** A lesson of the week of a class with the arrange that decides; without one nobody is judged. */
export const WeekCell = z.object({
  weekday: z.number().int(), section: z.number().int(), title: z.string(), place_name: z.string().nullable(), rule_id: RuleId.nullable(), rule_name: z.string().nullable(), arrange_name: z.string().nullable(), points: z.number().int(),
})
export type WeekCell = z.output<typeof WeekCell>

/** One expectation of a person's day with the rule that decides and where it comes from. */
export const Expectation = z.object({
  expect_kind: z.number().int(), occurrence_id: z.string(), title: z.string(), begin: Instant, end: Instant, place_name: z.string().nullable(), rule_name: z.string().nullable(), arrange_name: z.string().nullable(),
  why: z.string(), points: z.number().int(), exempt: z.string().nullable(), state: z.number().int(), sentence: z.string(),
})
export type Expectation = z.output<typeof Expectation>

export const PointRow = z.object({
  device_id: id('devices.device'), device_name: z.string(), device_type: z.string(), place_id: PlaceId.nullable(), place_name: z.string().nullable(), use: z.enum(['both', 'lesson', 'clock', 'none']), is_set: z.boolean(),
  online: z.boolean(), drained_to: Instant.nullable(),
})
export type PointRow = z.output<typeof PointRow>
export const ExemptRow = z.object({
  exempt_id: id('attendance.exempt'), user_id: UserId, user_name: z.string(), dept_name: z.string().nullable(), kind: z.enum(['course', 'clock']).nullable(), weekdays: z.string().nullable(),
  valid_from: Day, valid_to: Day, reason: z.string(),
})
export type ExemptRow = z.output<typeof ExemptRow>
export const ExemptDraft = z.strictObject({
  user_id: UserId, kind: z.enum(['course', 'clock']).nullable().default(null), weekdays: z.string().regex(/^[01]{7}$/, { error: '请选择星期' }).nullable().default(null), valid_from: Day, valid_to: Day,
  reason: z.string({ error: '请填写原因' }).trim().min(2, { error: '请填写原因' }).max(200, { error: '不能超过200个字' }),
}).refine(one => one.valid_to >= one.valid_from, { error: '结束日期不能早于开始日期', path: ['valid_to'] })

const byId = z.object({ id: ArrangeId })
const view = { need: 'attendance.arrange.view' } as const
const edit = { need: 'attendance.arrange.edit' } as const
const Saved = z.object({ row: ArrangeRow })

/** Where rules hold (chapter 55 §4). */
export const arrangeApi = api('v2', 'attendance.arrange', {
  list: get(
    'attend/arrange/list',
    {
      query: z.object({ semester_id: filter(SemesterId), kind: filter(z.enum(['course', 'clock'])) }),
      reply: z.object({ list: z.array(ArrangeRow) }), ...view,
    }
  ),
  add: post('attend/arrange/add', { body: ArrangeDraft, reply: Saved, ...edit }),
  update: put('attend/arrange/:id', { params: byId, body: ArrangePatch, reply: Saved, ...edit }),
  remove: del('attend/arrange/:id', { params: byId, reply: Done, ...edit }),
  copy: post(
    'attend/arrange/copy',
    {
      body: z.strictObject({ from_semester: SemesterId, to_semester: SemesterId }),
      reply: z.object({ copied: z.number().int(), left: z.array(z.string()) }), ...edit,
    }
  ),
  week: get(
    'attend/arrange/week',
    { query: z.object({ dept_id: DeptId, date: Day }), reply: z.object({ list: z.array(WeekCell) }), ...view, within: 'dept' }
  ),
  preview: get(
    'attend/arrange/preview',
    { query: z.object({ date: Day, user_id: UserId }), reply: z.object({ list: z.array(Expectation) }), ...view, within: 'dept' }
  ),
})

/** Which devices count for attendance. */
export const pointApi = api('v2', 'attendance.point', {
  list: get(
    'attend/point',
    { query: PageQuery.extend({ keyword: filter(z.string().trim().max(50)) }), reply: page(PointRow), need: 'attendance.point.edit' }
  ),
  save: put(
    'attend/point',
    {
      body: z.strictObject({ device_id: id('devices.device'), use: z.enum(['both', 'lesson', 'clock', 'none']) }), reply: Done,
      need: 'attendance.point.edit',
    }
  ),
})

/** Who need not clock. */
export const exemptApi = api('v2', 'attendance.exempt', {
  list: get(
    'attend/exempt',
    {
      query: PageQuery.extend({ keyword: filter(z.string().trim().max(50)) }), reply: page(ExemptRow), need: 'attendance.exempt.edit',
      within: 'dept',
    }
  ),
  add: post('attend/exempt', { body: ExemptDraft, reply: Done, need: 'attendance.exempt.edit', within: 'dept' }),
  remove: del(
    'attend/exempt/:id', { params: z.object({ id: id('attendance.exempt') }), reply: Done, need: 'attendance.exempt.edit', within: 'dept' }
  ),
})
