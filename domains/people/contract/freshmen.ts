import { api, Day, filter, get, id, Instant, page, PageQuery, post, put, sheet } from '@kit/contract'
import { z } from 'zod'
import { DeptId } from './dept.ts'
import { UserId } from './student.ts'

/** Applications in one call of reviewing or admitting. */
export const most_freshmen = 200
/** Items of FRESHMAN_STATE (chapter 20 §2). */
export const freshman_states = ['0', '1', '2', '3', '4', '5', '6', '7'] as const
export type FreshmanState = (typeof freshman_states)[number]
export const season_states = ['draft', 'open', 'closed', 'placed', 'finished'] as const
export type SeasonState = (typeof season_states)[number]

export const SeasonId = id('people.freshmen_season')
const ApplyId = z.uuid().meta({ id_of: 'people.freshmen_apply' })

/** Questions of the public form besides the mobile; `fixed` ones are always asked. */
export const season_fields = [
  { field_code: 'user_name', label: '姓名', is_fixed: true },
  { field_code: 'sex', label: '性别', is_fixed: true },
  { field_code: 'id_type', label: '身份证件类型', is_fixed: true },
  { field_code: 'id_no', label: '身份证件号', is_fixed: true },
  { field_code: 'birthday', label: '出生日期', is_fixed: false },
  { field_code: 'guardian', label: '监护人姓名', is_fixed: true },
  { field_code: 'relation', label: '与孩子的关系', is_fixed: true },
  { field_code: 'hukou_division', label: '户口所在地行政区划码', is_fixed: false },
  { field_code: 'from_school', label: '毕业学校', is_fixed: false },
  { field_code: 'board', label: '是否住校', is_fixed: false },
  { field_code: 'left_behind', label: '是否留守儿童', is_fixed: false },
  { field_code: 'migrant_child', label: '是否进城务工人员随迁子女', is_fixed: false },
  { field_code: 'twin', label: '双（多）胞胎是否同班', is_fixed: false },
  { field_code: 'home_address', label: '现住址', is_fixed: false },
] as const
const season_field_codes = season_fields.map(field => field.field_code)

const SeasonField = z.strictObject({ field_code: z.enum(season_field_codes), shown: z.boolean(), required: z.boolean() })
/** How student numbers are made at arrival: the prefix and a running number of so many digits. */
export const NumberRule = z.strictObject({
  prefix: z.string().trim().max(20, { error: '超过20个字' }).regex(/^[A-Za-z0-9]*$/, { error: '只能填写字母和数字' }),
  digits: z.number().int().min(2).max(8),
  start: z.number().int().min(1).max(99_999_999),
})
const ClassPlan = z.strictObject({ dept_ids: z.array(DeptId).max(60, { error: '最多选择60个班级' }) })

/** How families hand a material in: brought along only, uploaded if they like, or uploaded always. */
export const upload_ways = ['none', 'optional', 'required'] as const
export const SeasonMaterial = z.strictObject({ name: z.string().trim().min(1, { error: '请填写材料名称' }).max(40, { error: '超过40个字' }), upload: z.enum(upload_ways) })
export type SeasonMaterial = z.output<typeof SeasonMaterial>
/** Files of one material of one application. */
export const most_material_files = 3

const season_facts = {
  school_year: z.string().regex(/^\d{4}-\d{4}$/, { error: '学年格式为2026-2027' }),
  stage: z.string().regex(/^[0-4]$/, { error: '请选择学段' }),
  open_at: Instant,
  close_at: Instant,
  quota: z.number().int().min(1, { error: '名额至少为1' }).max(10_000, { error: '名额最多10000' }),
  form_fields: z.array(SeasonField).max(season_fields.length),
  /** what families bring along or upload */
  materials: z.array(SeasonMaterial).max(12, { error: '最多12项材料' }),
  min_birthday: Day.nullable(),
  max_birthday: Day.nullable(),
  /** `block`: who has a file in the school is not passed */
  dup_policy: z.enum(['block', 'warn']),
  review_levels: z.union([z.literal(1), z.literal(2)]),
  /** applications of an import have passed; otherwise they are reviewed like those of families */
  import_passed: z.boolean(),
  class_plan: ClassPlan,
  number_rule: NumberRule,
}

export const FreshmenSeason = z.object({
  ...season_facts,
  id: SeasonId,
  state: z.enum(season_states),
  /** applications are taken at this moment */
  is_open: z.boolean(),
  register_key: z.string(),
  /** public from the opening on; the seed itself only once a placement was adopted */
  lottery_seed_hash: z.string().nullable(),
  lottery_seed: z.string().nullable(),
  /** applications by state */
  counts: z.record(z.enum(freshman_states), z.number().int()),
  row_version: z.number().int(),
})
export type FreshmenSeason = z.output<typeof FreshmenSeason>

/** A season as it is set; with `id` the one that changes. */
export const SeasonDraft = z
  .strictObject({ ...season_facts, id: SeasonId.optional(), row_version: z.number().int().optional() })
  .refine(({ open_at, close_at }) => Date.parse(close_at) > Date.parse(open_at), { path: ['close_at'], error: '截止时间须晚于开始时间' })
  .refine(({ min_birthday, max_birthday }) => min_birthday === null || max_birthday === null || min_birthday <= max_birthday, { path: ['max_birthday'], error: '最晚出生日期不能早于最早出生日期' })
  .refine(({ materials }) => new Set(materials.map(({ name }) => name)).size === materials.length, { path: ['materials'], error: '材料名称不能重复' })
  .refine(({ import_passed, review_levels }) => !import_passed || review_levels === 1, { path: ['import_passed'], error: '两级审核的报名，导入的也须审核' })
  .refine(({ school_year }) => Number(school_year.slice(5)) === Number(school_year.slice(0, 4)) + 1, { path: ['school_year'], error: '学年格式为2026-2027' })
export type SeasonDraft = z.output<typeof SeasonDraft>

/** One application in a list; numbers masked. */
export const FreshmanRow = z.object({
  id: ApplyId,
  apply_no: z.string(),
  user_name: z.string(),
  sex: z.string(),
  id_no: z.string(),
  birthday: Day.nullable(),
  guardian: z.string(),
  guardian_mobile: z.string(),
  state: z.enum(freshman_states),
  review_level: z.number().int(),
  score: z.number().nullable(),
  twin_group: z.string().nullable(),
  apart_group: z.string().nullable(),
  target_dept_id: DeptId.nullable(),
  dept_name: z.string().nullable(),
  user_id: UserId.nullable(),
  student_no: z.string().nullable(),
  reason: z.string().nullable(),
  applied_at: Instant,
  row_version: z.number().int(),
})
export type FreshmanRow = z.output<typeof FreshmanRow>

/** A document that the family has uploaded; `url` is signed for the reader and works for five minutes. */
export const FreshmanDocument = z.object({ file_key: z.string(), material: z.string(), mime: z.string(), url: z.string() })
export type FreshmanDocument = z.output<typeof FreshmanDocument>

const Known = z.object({ user_id: UserId, user_name: z.string(), label: z.string().nullable() })
/** One application as a reviewer sees it, with what is known of the family already. */
export const FreshmanFile = FreshmanRow.extend({
  filled: z.array(z.object({ prop: z.string(), label: z.string(), value: z.string() })),
  materials: z.array(SeasonMaterial),
  documents: z.array(FreshmanDocument),
  /** the file this identity number has in the school; `label` null: it has left */
  known: Known.nullable(),
  siblings: z.array(Known),
  warnings: z.array(z.string()),
  reviews: z.array(z.object({ level: z.number().int(), verdict: z.enum(['pass', 'refuse']), reason: z.string().nullable(), reviewed_by: z.string(), reviewed_at: Instant })),
})
export type FreshmanFile = z.output<typeof FreshmanFile>

const Ids = z.array(ApplyId).min(1, { error: '请选择报名' }).max(most_freshmen, { error: `一次最多处理${most_freshmen}条` })
const Reason = z.string().trim().min(1, { error: '请填写原因' }).max(200, { error: '超过200个字' })
const config = { need: 'people.freshmen.config' } as const
const view = { need: 'people.freshmen.view', within: 'school' } as const
const review = { need: 'people.freshmen.review', within: 'school' } as const
const Changed = z.object({ changed: z.number().int() })
const group = z.string().trim().max(32, { error: '超过32个字' }).nullable().optional()

/** Permission code of the import; no call names it. */
export const freshmen_import_code = 'people.freshmen.import'

/** The filter of the list, of its export too. */
const FreshmenQuery = z.strictObject({
  season_id: SeasonId,
  state: filter(z.enum(freshman_states)),
  dept_id: filter(DeptId),
  keyword: filter(z.string().max(50)),
})

/** Seasons of enrolment (chapter 20 §4 Freshmen). */
export const freshmenSeasonApi = api('v2', 'people.freshmen_season', {
  list: get('student-register/season', { reply: z.object({ list: z.array(FreshmenSeason) }), ...view }),
  /** the first numbers that a rule would give now; numbers that somebody has are left out */
  numbers: get('student-register/season/numbers', {
    query: z.object({ prefix: NumberRule.shape.prefix, digits: z.coerce.number().pipe(NumberRule.shape.digits), start: z.coerce.number().pipe(NumberRule.shape.start) }), reply: z.object({ list: z.array(z.string()) }), ...config,
  }),
  save: put('student-register/season', { body: SeasonDraft, reply: FreshmenSeason, ...config }),
  turn: put('student-register/season/state', {
    body: z.strictObject({ id: SeasonId, row_version: z.number().int(), state: z.enum(['open', 'closed', 'finished']) }), reply: FreshmenSeason, ...config,
  }),
})

/** Applications from being sent in to being admitted (chapter 20 §2). */
export const freshmenApi = api('v2', 'people.freshmen', {
  page: post('student-register/page', { reads: true, body: PageQuery.extend(FreshmenQuery.shape), reply: page(FreshmanRow), ...view }),
  detail: get('student-register/apply/:id', { params: z.object({ id: ApplyId }), reply: FreshmanFile, ...review }),
  update: put('student-register/apply', {
    body: z.strictObject({ id: ApplyId, row_version: z.number().int(), score: z.number().min(0).max(9999).nullable().optional(), twin_group: group, apart_group: group }), reply: FreshmanRow, ...review,
  }),
  review: post('student-register/review', {
    body: z.discriminatedUnion('verdict', [z.strictObject({ ids: Ids, verdict: z.literal('pass') }), z.strictObject({ ids: Ids, verdict: z.literal('refuse'), reason: Reason })]), reply: Changed, op: 6, ...review,
  }),
  admit: post('student-register/admit', { body: z.strictObject({ ids: Ids, is_admitted: z.boolean() }), reply: Changed, op: 6, ...review }),
  giveUp: post('student-register/give-up', { body: z.strictObject({ ids: Ids, reason: Reason }), reply: Changed, op: 4, ...review }),
})

/** The list on the day of arrival: `code` is what is scanned or typed, an application's number or an identity number. */
export const freshmenArrivalApi = api('v2', 'people.freshmen_arrival', {
  checkin: post('student-register/checkin', {
    body: z.strictObject({ season_id: SeasonId, code: z.string().trim().min(1, { error: '请输入报名编号或证件号' }).max(50) }), reply: z.object({ row: FreshmanRow, is_repeat: z.boolean() }), need: 'people.freshmen.checkin', within: 'school', op: 4,
  }),
  export: post('student-register/export', { body: FreshmenQuery.extend({ reason: z.string().trim().max(200).default('') }), reply: sheet, op: 7, ...view }),
})
