import { DeptId, UserId } from '@campus/people/contract'
import { api, Done, get, id, Instant, post } from '@kit/contract'
import { z } from 'zod'

export const FormId = id('leave.form')
/** Steps of a flow, and approvers that one step may name (chapter 70 §1.1). */
export const most_steps = 8
export const most_approvers = 20
/** Minutes of a day in limits and conditions: a whole school day counts as one. */
export const day_minutes = 1440

const Minutes = z.number().int().min(1).max(180 * day_minutes)

/** When a step is needed: everything that is said must hold; nothing said: always. */
export const StepCondition = z.strictObject({
  minutes_from: Minutes.optional(),
  minutes_to: Minutes.optional(),
  leave_types: z.array(z.string().max(4)).max(26).optional(),
  study_method: z.string().max(4).optional(),
  in_exam: z.boolean().optional(),
  month_times_ge: z.number().int().min(2, { error: '不能少于2次' }).max(31, { error: '不能超过31次' }).optional(),
})
export type StepCondition = z.output<typeof StepCondition>

export const FlowStep = z.strictObject({
  mode: z.number().int().min(1).max(3),
  resolver: z.number().int().min(1).max(9),
  /** persons of resolver 8, roles of resolver 9 */
  resolver_ids: z.array(id('leave.approver')).max(most_approvers, { error: `最多${most_approvers}个` }).default([]),
  when: StepCondition.default({}),
  remind_min: z.number().int().min(5, { error: '不能少于5分钟' }).max(10_080, { error: '不能超过7天' }).default(30),
  escalate_min: z.number().int().min(10, { error: '不能少于10分钟' }).max(20_160, { error: '不能超过14天' }).default(120),
})
export type FlowStep = z.output<typeof FlowStep>

/** What a version of a form says: its types and limits, what a leave of it opens, and who decides. */
export const FormDesign = z.strictObject({
  leave_types: z.array(z.string().max(4)).min(1, { error: '请选择假别' }).max(26),
  unit: z.number().int().min(1).max(4),
  min_minutes: Minutes,
  max_minutes: Minutes,
  advance_min: z.number().int().min(0).max(43_200, { error: '不能超过30天' }),
  backdate_days: z.number().int().min(0).max(30, { error: '不能超过30天' }),
  exit_mode: z.number().int().min(0).max(2),
  meal: z.boolean(),
  bus: z.boolean(),
  auto_return: z.boolean(),
  late_grace_min: z.number().int().min(5, { error: '不能少于5分钟' }).max(240, { error: '不能超过240分钟' }),
  /** a proof is asked for from so many days on */
  attach_from_days: z.number().int().min(1).max(180).nullable(),
  /** the leave type of this form that is taken from a quota (chapter 70 §1.1) */
  quota_code: z.string().max(4).nullable().default(null),
  /** where no step is needed the leave is agreed to at once */
  no_approval: z.boolean(),
  fallback_user_ids: z.array(UserId).max(5, { error: '最多5人' }),
  steps: z.array(FlowStep).max(most_steps, { error: `最多${most_steps}步` }),
})
export type FormDesign = z.output<typeof FormDesign>

const FormKind = z.union([z.literal(1), z.literal(2), z.literal(6)])
const Version = z.object({ version: z.number().int(), effective_from: Instant, effective_to: Instant.nullable(), published_by_name: z.string().nullable(), published_at: Instant, design: FormDesign })
export type FormVersion = z.output<typeof Version>

const FormLine = z.object({
  form_id: FormId, form_name: z.string(), person_kind: z.number().int(), status: z.number().int(), current_version: z.number().int().nullable(), has_changes: z.boolean(), waiting: z.number().int(),
})
export type FormLine = z.output<typeof FormLine>

/** A form with its draft and all its versions; `names` of the persons and roles that the steps name. */
export const LeaveForm = FormLine.extend({ draft: FormDesign, versions: z.array(Version), names: z.array(z.object({ id: z.string(), name: z.string() })), row_version: z.number().int() })
export type LeaveForm = z.output<typeof LeaveForm>

/** One step of a flow as it would be, or is, for a leave. */
export const StepShown = z.object({
  seq: z.number().int(), mode: z.number().int(), resolver: z.number().int(), why: z.string(),
  assignees: z.array(z.object({ user_id: UserId, user_name: z.string() })),
  /** nobody fits the step, so the ones who stand in decide */
  is_fallback: z.boolean(),
})
export type StepShown = z.output<typeof StepShown>

/** What a leave would do in another domain. */
export const EffectPreview = z.object({ effect: z.string(), title: z.string(), text: z.string(), count: z.number().int(), undoable: z.boolean() })
export type EffectPreview = z.output<typeof EffectPreview>

/** The time asked for: instants, or whole and half days of the dates of `begin` and `end`. */
export const AskedSpan = z.strictObject({ begin: Instant, end: Instant, half: z.enum(['day', 'am', 'pm']).optional() })
export type AskedSpan = z.output<typeof AskedSpan>

const Simulate = z.strictObject({ form_id: FormId, user_id: UserId, leave_type: z.string().max(4), begin: Instant, end: Instant, half: z.enum(['day', 'am', 'pm']).optional(), design: FormDesign.optional() })
export const Simulated = z.object({
  user_name: z.string(), dept_id: DeptId.nullable(), begin_at: Instant, end_at: Instant, minutes: z.number().int(), school_days: z.number(), lessons: z.number().int(),
  steps: z.array(StepShown), no_approval: z.boolean(), has_gap: z.boolean(), effects: z.array(EffectPreview),
})
export type Simulated = z.output<typeof Simulated>

const name = z.string({ error: '请填写表单名称' }).trim().min(1, { error: '请填写表单名称' }).max(20, { error: '超过20个字' })
const view = { need: 'leave.form.view', within: 'school' } as const
const edit = { need: 'leave.form.edit', within: 'school' } as const
const publish = { need: 'leave.form.publish', within: 'school' } as const
const Saved = z.object({ form_id: FormId, row_version: z.number().int() })

/** Forms of leave: draft, publish as a version, try on a real person (chapter 70 §4). */
export const formApi = api('leave', 'leave.form', {
  list: get('form/list', { reply: z.object({ list: z.array(FormLine) }), ...view }),
  read: get('form/:form_id', { params: z.object({ form_id: FormId }), reply: LeaveForm, ...view }),
  save: post('form/save', { body: z.strictObject({ form_id: FormId.optional(), form_name: name, person_kind: FormKind, design: FormDesign, row_version: z.number().int().optional() }), reply: Saved, ...edit }),
  publish: post('form/publish', { body: z.strictObject({ form_id: FormId, row_version: z.number().int(), effective_from: Instant.optional() }), reply: z.object({ version: z.number().int(), waiting: z.number().int() }), op: 4, ...publish }),
  copy: post('form/copy', { body: z.strictObject({ form_id: FormId, form_name: name }), reply: Saved, ...edit }),
  disable: post('form/disable', { body: z.strictObject({ form_id: FormId, disabled: z.boolean() }), reply: Done, op: 4, ...publish }),
  simulate: post('form/simulate', { body: Simulate, reply: Simulated, reads: true, unlogged: '试算，不改变数据', ...view }),
})
