import { DeptId, UserId } from '@campus/people/contract'
import {
  api,
  carried,
  choice,
  Day,
  Done,
  exportOf,
  filter,
  firstDay,
  get,
  id,
  Instant,
  keyword,
  lastDay,
  list,
  page,
  PageQuery,
  post,
  reference,
} from '@kit/contract'
import { z } from 'zod'
import { record_names, source_names } from './dictionary.ts'
import { StarType, TypeId } from './type.ts'

/** Subjects of one command (chapter 55 rule 42), pictures of one record. */
export const most_subjects = 60
export const most_files = 5
/** Minutes in which the same star to the same one asks again. */
export const dup_minutes = 5
/** Hours in which a giver may revoke; days in which an appeal is open. */
export const revoke_hours = 24
export const appeal_days = 7

const RecordId = id('evaluation.record')
const AppealId = id('evaluation.appeal')
const BatchNo = z.string().regex(/^[0-9A-Za-z-]{1,40}$/u)
const count = z.number().int()
const Reason = z.string().trim().max(200, { error: '超过200个字' })

/** One star as lists show it. */
export const RecordRow = z.object({
  record_id: RecordId,
  happened_at: Instant,
  subject_kind: count,
  subject_id: z.string(),
  subject_name: z.string(),
  subject_no: z.string(),
  dept_id: DeptId,
  dept_name: z.string(),
  star_type_id: TypeId,
  dimension: z.string(),
  star_name: z.string(),
  icon: z.string(),
  colour: z.string(),
  milli: count,
  times: count,
  reason: z.string(),
  files: z.array(z.string()),
  giver_name: z.string(),
  source: count,
  state: count,
  decide_reason: z.string().nullable(),
  batch_no: z.string(),
  may_revoke: z.boolean(),
  may_approve: z.boolean(),
})
export type RecordRow = z.output<typeof RecordRow>

const points = 1000
/** +1.5 */
export const pointsText = (milli: number): string => `${milli > 0 ? '+' : ''}${String(milli / points)}`
const nameIn = (names: Readonly<Record<number, string>>, code: number) => names[code] ?? ''
const sign_names = { 1: '加分', 2: '扣分' } as const

/** 德育评价记录: screen and sheet. */
export const recordList = list({
  title: '德育评价记录',
  row: RecordRow,
  key: 'record_id',
  is_about_people: true,
  columns: {
    happened_at: { label: '时间', width: 132, kind: 'instant' },
    subject_name: { label: '对象', width: 92 },
    subject_no: { label: '学号', width: 100 },
    dept_name: { label: '班级', width: 104 },
    star_name: { label: '维度/指标', width: 160, text: row => `${row.dimension}/${row.star_name}` },
    milli: { label: '分值', width: 64, text: row => pointsText(row.milli) },
    reason: { label: '理由', width: 180 },
    files: { label: '佐证', width: 64, text: row => (row.files.length > 0 ? `${row.files.length}张` : '') },
    giver_name: { label: '评价人', width: 84 },
    source: { label: '来源', width: 80, text: row => nameIn(source_names, row.source) },
    state: { label: '状态', width: 80, text: row => nameIn(record_names, row.state) },
  },
  filters: {
    keyword: keyword('姓名/学号/理由'),
    sign: choice('性质', sign_names),
    state: choice('状态', record_names),
    from: firstDay('日期', 'to'),
    to: lastDay(),
    source: choice('来源', source_names),
    dept_id: reference('班级', 'people.dept', DeptId),
    star_type_id: carried('', TypeId),
    user_id: carried('', UserId),
  },
})

/** `confirm`: the same star once more within five minutes is meant. */
const Give = z.strictObject({
  subject_ids: z
    .array(UserId)
    .min(1, { error: '请选择对象' })
    .max(most_subjects, { error: `一次最多评定${most_subjects}个` }),
  star_type_id: TypeId,
  times: z.number({ error: '请填写次数' }).int().min(1).max(10).default(1),
  reason: Reason.default(''),
  file_keys: z
    .array(z.string().max(200))
    .max(most_files, { error: `最多上传${most_files}张图片` })
    .default([]),
  confirm: z.boolean().default(false),
})
const Given = z.object({ batch_no: z.string(), given: count, waiting: z.boolean() })

const Option = StarType.pick({
  id: true,
  superior_id: true,
  star_name: true,
  icon: true,
  colour: true,
  subject_kind: true,
  sign: true,
  step: true,
  times_max: true,
  evidence: true,
}).extend({ left: count.nullable() })
/** What I may give, and to which classes; `left`: how often still this week. */
const Options = z.object({
  types: z.array(Option),
  dimensions: z.array(z.object({ id: TypeId, star_name: z.string() })),
  classes: z.array(z.object({ dept_id: DeptId, dept_name: z.string(), heads: count })),
})
export type GiveOptions = z.output<typeof Options>
export type GiveType = z.output<typeof Option>
const Pupils = z.object({ list: z.array(z.object({ user_id: UserId, user_name: z.string(), student_no: z.string(), today: count })) })
export type GivePupil = z.output<typeof Pupils>['list'][number]

/** One appeal with the record it is about. */
export const AppealRow = z.object({
  appeal_id: AppealId,
  record_id: RecordId,
  asked_at: Instant,
  asked_by_name: z.string(),
  text: z.string(),
  step: count,
  state: count,
  due_at: Instant,
  opinion: z.string().nullable(),
  decided_by_name: z.string().nullable(),
  subject_name: z.string(),
  dept_name: z.string(),
  star_name: z.string(),
  milli: count,
  times: count,
  times_max: count,
  reason: z.string(),
  giver_name: z.string(),
  may_decide: z.boolean(),
})
export type AppealRow = z.output<typeof AppealRow>

/** Lines of a person: what the pupil is good at, and when what came. */
export const Profile = z.object({
  user_id: UserId,
  user_name: z.string(),
  dept_name: z.string(),
  radar: z.array(z.object({ dimension: z.string(), milli: count, class_milli: count })),
  /** `milli` and `level`: as of today; `got`: what was reached and when, which stays */
  levels: z.array(
    z.object({
      star_name: z.string(),
      icon: z.string(),
      colour: z.string(),
      milli: count,
      level: count,
      got: z.array(z.object({ level: count, valid_from: Day })),
    }),
  ),
  timeline: z.array(
    RecordRow.pick({
      record_id: true,
      happened_at: true,
      dimension: true,
      star_name: true,
      icon: true,
      colour: true,
      milli: true,
      reason: true,
      giver_name: true,
      state: true,
    }),
  ),
  total_milli: count,
})
export type Profile = z.output<typeof Profile>

const ById = z.object({ record_id: RecordId })
const view = { need: 'evaluation.star.view', within: 'dept' } as const
const give = { need: 'evaluation.star.give', within: 'dept' } as const
const decide = { need: 'evaluation.appeal.decide', within: 'dept' } as const

/** Stars that were given, and giving them (chapter 55 §4). */
export const recordApi = api('web', 'evaluation.star', {
  page: get('star/record/page', { query: recordList.query, reply: recordList.reply, ...view }),
  export: exportOf(recordList, 'star/record/page/export', { need: 'evaluation.star.export', within: 'dept' }),
  options: get('star/record/options', { reply: Options, ...give }),
  pupils: get('star/record/pupils', { query: z.object({ dept_id: DeptId }), reply: Pupils, ...give }),
  give: post('star/record/give', { body: Give, reply: Given, ...give }),
  undo: post('star/record/batch/:batch_no/undo', {
    params: z.object({ batch_no: BatchNo }),
    reply: z.object({ revoked: count }),
    op: 5,
    ...give,
  }),
  approve: post('star/record/:record_id/approve', {
    params: ById,
    body: z.strictObject({ agree: z.boolean(), reason: Reason.default('') }),
    reply: Done,
    op: 8,
    need: 'evaluation.star.approve',
    within: 'dept',
  }),
  revoke: post('star/record/:record_id/revoke', {
    params: ById,
    body: z.strictObject({ reason: Reason.min(2, { error: '请填写撤销原因' }) }),
    reply: Done,
    op: 5,
    ...give,
  }),
  profile: get('star/profile/:user_id', { params: z.object({ user_id: UserId }), reply: Profile, ...view }),
})

/** Decisions about what pupils and their parents object to. */
export const appealApi = api('web', 'evaluation.appeal', {
  page: get('star/appeal/page', {
    query: PageQuery.extend({ state: filter(z.enum(['0', '1'])) }),
    reply: page(AppealRow).extend({ open: count }),
    ...decide,
  }),
  decide: post('star/appeal/:appeal_id/decide', {
    params: z.object({ appeal_id: AppealId }),
    body: z.strictObject({
      decision: z.union([z.literal(1), z.literal(2), z.literal(3)], { error: '请选择处理结果' }),
      opinion: Reason.min(2, { error: '请填写处理意见' }),
      times: z.number().int().min(1).max(10).optional(),
    }),
    reply: Done,
    op: 8,
    ...decide,
  }),
})

const self = { session: true, within: 'self' } as const
const MyStar = RecordRow.pick({
  record_id: true,
  happened_at: true,
  dimension: true,
  star_name: true,
  icon: true,
  colour: true,
  milli: true,
  reason: true,
  giver_name: true,
  state: true,
}).extend({
  may_appeal: z.boolean(),
  appeal: z.object({ state: count, step: count, due_at: Instant, opinion: z.string().nullable() }).nullable(),
})
export type MyStar = z.output<typeof MyStar>

/** My stars, or those of my child, with an objection to one of them (chapter 80 §5, 21). */
export const myStarApi = api('web', 'evaluation.mine', {
  subjects: get('star/mine/subjects', {
    reply: z.object({ list: z.array(z.object({ user_id: UserId, user_name: z.string(), dept_name: z.string() })) }),
    ...self,
  }),
  list: get('star/mine/list', {
    query: z.object({ user_id: UserId }),
    reply: Profile.omit({ timeline: true }).extend({ list: z.array(MyStar) }),
    ...self,
  }),
  add: post('star/appeal/add', {
    body: z.strictObject({ record_id: RecordId, text: Reason.min(2, { error: '请填写申诉理由' }) }),
    reply: z.object({ appeal_id: AppealId, due_at: Instant }),
    ...self,
  }),
})
