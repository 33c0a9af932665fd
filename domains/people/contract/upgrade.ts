import { api, Day, filter, get, id, Instant, page, PageQuery, post, put } from '@kit/contract'
import { z } from 'zod'
import { ChangeId } from './change-id.ts'
import { effect_states } from './change.ts'
import { DeptId } from './dept.ts'
import { UserId } from './student.ts'

export const UpgradeId = id('people.upgrade_plan')

/** What becomes of a grade or class at the end of the school year (chapter 20 §1.3): next grade, leave, next stage, stay as it is, close. */
export const upgrade_actions = ['UPGRADE', 'GRADUATE', 'CONTINUE', 'HOLD', 'CLOSE'] as const
export type UpgradeAction = (typeof upgrade_actions)[number]
/** Pupils who do otherwise than their class: repeat, skip a year, another class, leave, stay though the class ends. */
export const upgrade_exceptions = ['REPEAT', 'SKIP', 'CLASS', 'OUT', 'STAY'] as const
export type UpgradeException = (typeof upgrade_exceptions)[number]
export const upgrade_states = ['draft', 'simulated', 'signed', 'running', 'done', 'rolled_back', 'failed'] as const
export type UpgradeState = (typeof upgrade_states)[number]
/** Most pupils of one plan who do otherwise than their class. */
export const most_exceptions = 500

const SchoolYear = z.string().regex(/^\d{4}-\d{4}$/, { error: '学年格式为2026-2027' })
const NewName = z.string().trim().min(1).max(30)

/** Where a grade or class goes. `target_dept_id`: a class that takes the pupils in; `is_pool`: all pupils of the grade wait in one class for placement. */
const ItemDraft = z.strictObject({
  dept_id: DeptId,
  action: z.enum(upgrade_actions).nullable(),
  new_name: NewName.nullable().optional(),
  is_pool: z.boolean().optional(),
})
const PersonDraft = z.strictObject({
  user_id: UserId,
  action: z.enum(upgrade_exceptions),
  target_dept_id: DeptId.nullable().optional(),
  reason: z.string().trim().min(1, { error: '请填写原因' }).max(200, { error: '超过200个字' }),
})

export const UpgradeItem = z.object({
  dept_id: DeptId,
  parent_id: DeptId.nullable(),
  dept_type: z.number().int(),
  /** the name it has before the promotion */
  dept_name: z.string(),
  stage: z.string().nullable(),
  from_grade: z.string().nullable(),
  to_grade: z.string().nullable(),
  action: z.enum(upgrade_actions).nullable(),
  /** given by hand; null: made from the grade */
  new_name: z.string().nullable(),
  is_pool: z.boolean(),
  pupils: z.number().int(),
})
export type UpgradeItem = z.output<typeof UpgradeItem>

export const UpgradePerson = z.object({
  user_id: UserId,
  user_name: z.string(),
  student_no: z.string(),
  dept_id: DeptId.nullable(),
  dept_name: z.string(),
  action: z.enum(upgrade_exceptions),
  target_dept_id: DeptId.nullable(),
  target_name: z.string().nullable(),
  reason: z.string(),
})
export type UpgradePerson = z.output<typeof UpgradePerson>

const Totals = z.object({
  before: z.number().int(),
  after: z.number().int(),
  graduated: z.number().int(),
  continued: z.number().int(),
  repeated: z.number().int(),
  skipped: z.number().int(),
  moved: z.number().int(),
  left: z.number().int(),
  suspended: z.number().int(),
})
export type UpgradeTotals = z.output<typeof Totals>

/** A grade or class before and after. `dept_id` null: it will be made. */
const DiffRow = z.object({
  dept_id: DeptId.nullable(),
  dept_type: z.number().int(),
  kind: z.enum(['new', 'renamed', 'graduated', 'continued', 'closed', 'same', 'open']),
  action: z.enum(upgrade_actions).nullable(),
  old_label: z.string().nullable(),
  new_label: z.string().nullable(),
  before: z.number().int(),
  after: z.number().int(),
  capacity: z.number().int().nullable(),
})
export type UpgradeRow = z.output<typeof DiffRow>
const Unmapped = z.object({ dept_id: DeptId.nullable(), user_id: UserId.nullable(), name: z.string(), reason: z.string() })
export type UpgradeUnmapped = z.output<typeof Unmapped>
const Impact = z.object({ domain: z.string(), title: z.string(), count: z.number().int(), choice: z.enum(['follow', 'stay']) })

/** What the promotion would do (chapter 20 rule 6). The same school gives the same `plan_hash` to the byte. */
export const UpgradeDiff = z.object({
  base_hash: z.string(),
  plan_hash: z.string(),
  totals: Totals,
  rows: z.array(DiffRow),
  people: z.array(z.object({ user_id: UserId, user_name: z.string(), action: z.enum(upgrade_exceptions), old_label: z.string(), new_label: z.string().nullable() })),
  /** duties that end with their class */
  duties: z.array(z.object({ user_id: UserId, user_name: z.string(), dept_name: z.string() })),
  impact: z.array(Impact),
  unmapped: z.array(Unmapped),
})
export type UpgradeDiff = z.output<typeof UpgradeDiff>

const Effect = z.object({ domain: z.string(), effect_code: z.string(), title: z.string(), state: z.enum(effect_states), detail: z.string().nullable() })

export const UpgradePlan = z.object({
  plan_id: UpgradeId,
  school_year: SchoolYear,
  effective_on: Day,
  state: z.enum(upgrade_states),
  row_version: z.number().int(),
  plan_hash: z.string().nullable(),
  /** departments or people changed since the simulation */
  is_stale: z.boolean(),
  totals: Totals.nullable(),
  created_by: z.string().nullable(),
  /** the reader drew it up himself and cannot sign it */
  is_mine: z.boolean(),
  signed_by: z.string().nullable(),
  signed_at: Instant.nullable(),
  ran_at: Instant.nullable(),
  rollback_until: Instant.nullable(),
  command_id: ChangeId.nullable(),
  items: z.array(UpgradeItem),
  people: z.array(UpgradePerson),
  /** what follows from the run, line by line */
  effects: z.array(Effect),
})
export type UpgradePlan = z.output<typeof UpgradePlan>

/** What a run wrote; a second call of the same plan answers the same. */
export const UpgradeReceipt = z.object({
  plan_id: UpgradeId,
  command_id: ChangeId,
  kind: z.literal('UPGRADE'),
  school_year: SchoolYear,
  effective_on: Day,
  rollback_until: Instant,
  totals: Totals,
})
export type UpgradeReceipt = z.output<typeof UpgradeReceipt>

const Skipped = z.object({ user_id: UserId, user_name: z.string() })
const byPlan = z.object({ id: UpgradeId })
const Recheck = z.string().min(1).max(200)
const Hash = z.string().min(1).max(64)
const draw = { need: 'people.upgrade.plan' } as const

/** The plan of a promotion, from its draft to its signature, and taking it back (chapter 20 §4 Promotion). */
export const upgradeApi = api('core', 'people.upgrade', {
  current: get('upgrade/plan/current', { reply: z.object({ plan: UpgradePlan.nullable(), next: z.object({ school_year: SchoolYear, effective_on: Day }) }), ...draw }),
  /** a new draft; everything goes where it would go by itself */
  create: post('upgrade/plan', { body: z.strictObject({ school_year: SchoolYear, effective_on: Day }), reply: UpgradePlan, ...draw }),
  update: put('upgrade/plan/:id', {
    params: byPlan,
    body: z.strictObject({
      row_version: z.number().int(),
      effective_on: Day.optional(),
      items: z.array(ItemDraft).max(3000).optional(),
      people: z.array(PersonDraft).max(most_exceptions, { error: `最多${most_exceptions}名例外学生` }).optional(),
    }),
    reply: UpgradePlan,
    ...draw,
  }),
  simulate: post('upgrade/plan/:id/simulate', { params: byPlan, reply: UpgradeDiff, op: 4, ...draw }),
  diff: get('upgrade/plan/:id/diff', { params: byPlan, reply: UpgradeDiff, ...draw }),
  sign: post('upgrade/plan/:id/sign', { params: byPlan, body: z.strictObject({ plan_hash: Hash, recheck_token: Recheck }), reply: UpgradePlan, need: 'people.upgrade.sign', op: 4 }),
  rollback: post('upgrade/plan/:id/rollback', {
    params: byPlan,
    body: z.strictObject({ reason: z.string().trim().min(1, { error: '请填写原因' }).max(200, { error: '超过200个字' }), skip_conflicts: z.boolean().default(false), recheck_token: Recheck }),
    reply: z.object({ plan: UpgradePlan, skipped: z.array(Skipped) }),
    need: 'people.upgrade.rollback',
    op: 14,
  }),
})

const GraduateQuery = PageQuery.extend({ enrol_year: filter(z.coerce.number().int()), stage: filter(z.string().max(1)) })
export const GraduateDept = z.object({
  id: DeptId,
  label: z.string(),
  grade_name: z.string().nullable(),
  stage: z.string().nullable(),
  enrol_year: z.number().int().nullable(),
  closed_on: Day,
  /** pupils on the day before it closed */
  students: z.number().int(),
  graduated: z.number().int(),
  /** where they went, the most frequent first */
  to_where: z.array(z.object({ to_where: z.string(), count: z.number().int() })),
})
export type GraduateDept = z.output<typeof GraduateDept>

/** Carries a signed plan out, and the classes that are gone (chapter 20 §4). */
export const upgradeRunApi = api('web', 'people.upgrade_run', {
  run: post('upgrade_class', { body: z.strictObject({ plan_id: UpgradeId, plan_hash: Hash, recheck_token: Recheck }), reply: UpgradeReceipt, need: 'people.upgrade.run', op: 4 }),
  graduates: get('get_graduate_dept_list', { query: GraduateQuery, reply: page(GraduateDept), need: 'people.dept.view', within: 'student_dept' }),
})
