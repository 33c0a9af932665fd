import { api, Done, get, id, Instant, page, PageQuery, post, put } from '@kit/contract'
import { z } from 'zod'
import { DeptId } from './dept.ts'
import { UserId } from './student.ts'

const CollectTaskId = id('people.collect_task')

/** Answers in one call of reviewing, people named one by one in a task, departments of an audience. */
export const most_collect_reviewed = 200
const most_named = 2000
const most_depts = 500
const most_fields = 60
const most_signs = 1000

export const collect_states = ['draft', 'open', 'closed'] as const
export const answer_states = ['unseen', 'seen', 'answered', 'confirmed_same', 'accepted', 'refused'] as const
export type AnswerState = (typeof answer_states)[number]

/** A field of the registry, or `ext.<code>` of the school's own. */
const FieldCode = z.string().max(40).regex(/^(ext\.)?[a-z][a-z0-9_]*$/)
const FieldCodes = z.array(FieldCode).min(1, { error: '请选择要核对的字段' }).max(most_fields, { error: `最多选择${most_fields}个字段` })
const nobody = '请选择部门或人员'

/** Who is asked: departments with everything below them, and people named one by one. Frozen when the task opens (chapter 20 rule 29). */
export const CollectAudience = z
  .strictObject({ dept_ids: z.array(DeptId).max(most_depts).default([]), user_ids: z.array(UserId).max(most_named, { error: `一次最多选择${most_named}人` }).default([]) })
  .refine(({ dept_ids, user_ids }) => dept_ids.length + user_ids.length > 0, { error: nobody })
export type CollectAudience = z.output<typeof CollectAudience>

const draft = {
  title: z.string().trim().min(1, { error: '请填写标题' }).max(40, { error: '超过40个字' }),
  field_codes: FieldCodes,
  audience: CollectAudience,
  close_at: Instant,
  /** auto: an answer is written at once; review: the school decides field by field */
  review_mode: z.enum(['auto', 'review']),
}
export const CollectDraft = z.strictObject({ ...draft, field_scene: z.number().int().default(1) })
const CollectPatch = z.strictObject({ ...draft, id: CollectTaskId, row_version: z.number().int() })

/** A task with how far it has come, of the people the reader may see. */
export const CollectTaskRow = z.object({
  id: CollectTaskId,
  title: z.string(),
  field_scene: z.number().int(),
  field_codes: z.array(z.string()),
  audience: z.object({ dept_ids: z.array(DeptId), user_ids: z.array(UserId) }),
  open_at: Instant.nullable(),
  close_at: Instant,
  review_mode: z.enum(['auto', 'review']),
  /** closed also when its end has passed */
  state: z.enum(collect_states),
  row_version: z.number().int(),
  /** may this reader change, open and close it? */
  is_own: z.boolean(),
  total: z.number().int(),
  /** answered in any way; 信息无误 counts (rule 29) */
  answered: z.number().int(),
  waiting: z.number().int(),
})
export type CollectTaskRow = z.output<typeof CollectTaskRow>

/** One class of a task. */
export const CollectClass = z.object({ dept_id: DeptId.nullable(), dept_name: z.string(), total: z.number().int(), answered: z.number().int(), waiting: z.number().int() })
export type CollectClass = z.output<typeof CollectClass>

const OneTask = z.strictObject({ id: CollectTaskId })
const ByTask = z.object({ id: CollectTaskId })
const edit = { need: 'people.collect.edit', within: 'dept' } as const

/** Tasks of collecting (chapter 20 §4 Collection). */
export const collectTaskApi = api('v2', 'people.collect', {
  fields: get('collect/fields', { query: z.object({ field_scene: z.coerce.number().int().default(1) }), reply: z.object({ list: z.array(z.object({ field_code: z.string(), label: z.string() })) }), ...edit }),
  page: get('collect/task/page', { query: PageQuery, reply: page(CollectTaskRow), ...edit }),
  stat: get('collect/task/:id/stat', { params: ByTask, reply: z.object({ list: z.array(CollectClass) }), ...edit }),
  add: post('collect/task', { body: CollectDraft, reply: z.object({ id: CollectTaskId }), ...edit }),
  update: put('collect/task', { body: CollectPatch, reply: z.object({ row_version: z.number().int() }), ...edit }),
  open: post('collect/task/open', { body: OneTask, reply: z.object({ asked: z.number().int() }), op: 4, ...edit }),
  /** who has come into the departments since, joins an open task */
  join: post('collect/task/join', { body: OneTask, reply: z.object({ asked: z.number().int() }), op: 4, ...edit }),
  close: post('collect/task/close', { body: OneTask, reply: Done, op: 4, ...edit }),
  remind: post('collect/task/remind', { body: z.strictObject({ id: CollectTaskId, dept_ids: z.array(DeptId).max(most_depts).optional() }), reply: z.object({ reminded: z.number().int() }), op: 4, ...edit }),
})

/** What waits for an answer, of oneself or of a child. */
export const CollectMine = z.object({ task_id: CollectTaskId, title: z.string(), user_id: UserId, user_name: z.string(), close_at: Instant, state: z.enum(answer_states), reason: z.string().nullable() })
export type CollectMine = z.output<typeof CollectMine>

/** One question with what the file says today; a protected value is masked and left alone unless something is typed. */
export const CollectField = z.object({
  field_code: z.string(),
  label: z.string(),
  options: z.array(z.object({ value: z.string(), label: z.string() })).nullable(),
  value: z.string().nullable(),
  is_masked: z.boolean(),
  note: z.string(),
})
export type CollectField = z.output<typeof CollectField>
export const CollectForm = CollectMine.extend({ review_mode: z.enum(['auto', 'review']), fields: z.array(CollectField) })
export type CollectForm = z.output<typeof CollectForm>

const Asked = { task_id: CollectTaskId, user_id: UserId }
const self = { session: true, within: 'self' } as const

/** Answering, for oneself and for one's own children alone. */
export const collectAnswerApi = api('v2', 'people.collect_answer', {
  mine: get('collect/mine', { reply: z.object({ list: z.array(CollectMine) }), ...self }),
  /** the form, which then counts as seen */
  form: post('collect/form', { reads: true, body: z.strictObject(Asked), reply: CollectForm, ...self }),
  /** only what differs is sent; nothing at all means 信息无误 */
  answer: post('collect/answer', {
    body: z.strictObject({ ...Asked, values: z.record(FieldCode, z.string().max(most_signs).nullable()).default({}), accept_warnings: z.array(z.string().max(40)).max(20).default([]) }),
    reply: z.object({ state: z.enum(answer_states) }),
    op: 4,
    ...self,
  }),
})

/** An answer as the reviewer sees it: what it would change today, protected values masked. */
export const CollectReviewRow = z.object({
  ...Asked,
  title: z.string(),
  user_name: z.string(),
  dept_name: z.string(),
  respondent_name: z.string().nullable(),
  at: Instant,
  diff: z.array(z.object({ field: z.string(), label: z.string(), before: z.string().nullable(), after: z.string().nullable() })),
  /** what stands in the way of accepting, by field; sentences to look at twice */
  errors: z.array(z.object({ field: z.string(), msg: z.string() })),
  warnings: z.array(z.object({ field: z.string(), msg: z.string() })),
})
export type CollectReviewRow = z.output<typeof CollectReviewRow>

const Decision = z.strictObject({ user_id: UserId, field_codes: z.array(FieldCode).max(most_fields) })
const review = { need: 'people.collect.review', within: 'dept' } as const

/** Deciding about answers, field by field; one without an accepted field is refused and tells why. */
export const collectReviewApi = api('v2', 'people.collect_review', {
  waiting: get('collect/review/page', { query: PageQuery, reply: page(CollectReviewRow), ...review }),
  decide: post('collect/review', {
    body: z.strictObject({
      task_id: CollectTaskId,
      lines: z.array(Decision).min(1, { error: '请选择答复' }).max(most_collect_reviewed, { error: `一次最多处理${most_collect_reviewed}条` }),
      reason: z.string().trim().max(200, { error: '超过200个字' }).default(''),
    }),
    reply: z.object({ accepted: z.number().int(), refused: z.number().int() }),
    op: 6,
    ...review,
  }),
})
