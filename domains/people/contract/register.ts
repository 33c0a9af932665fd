import { api, filter, get, Instant, normalise, page, PageQuery, post, put, SchoolId } from '@kit/contract'
import { z } from 'zod'
import { SeasonMaterial } from './freshmen.ts'
import { UserId } from './student.ts'

/** Whom a form is about: 1 pupils, 2 staff. Other numbers are refused by the rule, not by the shape (422 不支持的字段场景). */
const FieldScene = z.number().int()
const AskedScene = z.coerce.number<string | number>().int()
export const register_scenes = { 1: '学生', 2: '教职工' } as const

/** Entries in one call of reviewing (chapter 20 §4 Registration). */
export const most_reviewed = 200
const Text = z.string().max(200)
const Values = z.record(z.string().max(40).regex(/^[a-z][a-z0-9_]*$/), Text)
const EntryId = z.uuid().meta({ id_of: 'people.register_entry' })

/** The two switches; times are instants, messages what a closed form says. */
export const RegisterInfo = z.object({
  school_id: z.number().int(),
  is_register: z.boolean(),
  open_register_end_time: Instant.nullable(),
  register_msg: z.string().nullable(),
  is_teacher_register: z.boolean(),
  open_teacher_register_end_time: Instant.nullable(),
  teacher_register_msg: z.string().nullable(),
  /** what stands in the public address; null before anything was ever opened */
  register_key: z.string().nullable(),
  /** entries nobody has looked at */
  waiting: z.number().int(),
  row_version: z.number().int(),
})
export type RegisterInfo = z.output<typeof RegisterInfo>

const Version = { row_version: z.number().int() }
const Message = z.string().trim().max(200, { error: '超过200个字' }).nullable().default(null)

export const RegisterField = z.object({
  field_code: z.string(),
  label: z.string(),
  shown: z.boolean(),
  required: z.boolean(),
  /** nobody can be entered without it: always shown and required */
  is_fixed: z.boolean(),
  order_no: z.number().int(),
})
export type RegisterField = z.output<typeof RegisterField>

const FieldLine = z.strictObject({ field_code: z.string().max(40), shown: z.boolean(), required: z.boolean() })
const config = { need: 'people.register.config' } as const
const review = { need: 'people.register.review', within: 'school' } as const

const Scened = z.object({ field_scene: AskedScene })
const FieldList = z.object({ field_scene: z.number().int(), list: z.array(RegisterField) })

/** State of the forms and the fields they ask. */
export const registerCoreApi = api('core', 'people.register', {
  info: get('supreme/school/:school_id/info', { params: z.object({ school_id: SchoolId }), reply: RegisterInfo, ...config }),
})
export const registerApi = api('web', 'people.register', {
  openStudents: put('update_basic_school_info', {
    body: z.strictObject({ is_register: z.boolean(), open_register_end_time: Instant.nullable().default(null), register_msg: Message, ...Version }),
    reply: RegisterInfo,
    ...config,
  }),
  openTeachers: put('update_teacher_open_register', {
    body: z.strictObject({ is_teacher_register: z.boolean(), open_teacher_register_end_time: Instant.nullable().default(null), teacher_register_msg: Message, ...Version }),
    reply: RegisterInfo,
    ...config,
  }),
})
export const registerFieldApi = api('v2', 'people.register_field', {
  list: get('custom/check/field/list', { query: Scened, reply: FieldList, ...config }),
  save: post('custom/check/field/save', { body: z.strictObject({ field_scene: FieldScene, list: z.array(FieldLine).min(1).max(100) }), reply: FieldList, op: 4, ...config }),
})

/** One question of a public form. */
export const PublicField = z.object({ field_code: z.string(), label: z.string(), required: z.boolean(), options: z.array(z.string()).nullable(), note: z.string() })
export type PublicField = z.output<typeof PublicField>

/** What a public address shows; a closed form has a message and no fields. */
export const PublicForm = z.object({
  kind: z.enum(['register', 'season']),
  school_name: z.string(),
  title: z.string(),
  is_open: z.boolean(),
  message: z.string().nullable(),
  end_time: Instant.nullable(),
  fields: z.array(PublicField),
  /** of a season: what families bring along or upload */
  materials: z.array(SeasonMaterial).default([]),
  /** of a season: the hash of the seed by which classes are drawn, and the seed itself once they were drawn */
  lottery: z.object({ seed_hash: z.string(), seed: z.string().nullable() }).nullable().default(null),
})
export type PublicForm = z.output<typeof PublicForm>

export const entry_states = ['waiting', 'passed', 'refused', 'withdrawn'] as const

/** How something that was sent in stands; the same whether or not the person is known. */
export const PublicAnswer = z.object({ apply_no: z.string(), state: z.string(), state_label: z.string(), reason: z.string().nullable() })
export type PublicAnswer = z.output<typeof PublicAnswer>

/** `1001-` and 128 bits: school and secret of a form. */
export const RegisterKey = z.string().regex(/^[0-9]{1,9}-[0-9a-f]{32}$/, { error: '链接不完整，请重新扫码或向学校索取' })
const Mobile = z.string().overwrite(text => normalise({ kind: 'mobile' }, text)).max(20)
/** Documents of one application. */
const most_brought = 36
const Brought = z.strictObject({ material: z.string().max(40), file_key: z.string().max(200) })
const proof = { cap_key: z.uuid(), captcha: z.string().max(10) }

export const PublicAct = z.discriminatedUnion('act', [
  z.strictObject({ act: z.literal('submit'), field_scene: FieldScene.default(1), is_new: z.union([z.literal(0), z.literal(1)]).default(1), mobile: Mobile, values: Values, files: z.array(Brought).max(most_brought).default([]), ...proof }),
  z.strictObject({ act: z.literal('status'), apply_no: z.string().trim().min(1).max(20), id_last4: z.string().trim().regex(/^[0-9A-Za-z]{4}$/, { error: '请输入证件号后四位' }), ...proof }),
])
export type PublicAct = z.output<typeof PublicAct>

/** Forms by which a family uploads documents for an hour: pictures (1) and PDF (3), so many files each. */
export const PublicUploads = z.object({
  forms: z.array(z.object({ kind: z.string(), host: z.string(), dir: z.string(), fields: z.record(z.string(), z.string()), max_size: z.number().int(), expire_at: Instant })),
})
export type PublicUploads = z.output<typeof PublicUploads>

const visitors = '开放登记与新生报名，访客填写'
const ByKey = z.object({ key: RegisterKey })
/** The only public calls of people (chapter 20 rule 27). */
export const registerPublicApi = api('v2', 'people.register_public', {
  look: get('register/public/:key', { params: ByKey, query: z.object({ field_scene: filter(AskedScene) }), reply: PublicForm, open: visitors }),
  act: post('register/public/:key', { params: ByKey, body: PublicAct, reply: PublicAnswer, open: visitors }),
  /** one captcha, one set of forms; what no application names within a day goes */
  upload: post('register/public/:key/upload', { params: ByKey, body: z.strictObject(proof), reply: PublicUploads, open: visitors }),
})

const Change = z.object({ prop: z.string(), label: z.string(), before: z.string(), after: z.string() })
const Issue = z.object({ prop: z.string(), label: z.string(), msg: z.string() })
/** One entry as a reviewer sees it: protected values masked, judged as a line of an import would be today. */
export const RegisterEntryRow = z.object({
  id: EntryId,
  apply_no: z.string(),
  field_scene: z.number().int(),
  is_new: z.boolean(),
  user_name: z.string(),
  mobile: z.string(),
  state: z.enum(entry_states),
  reason: z.string().nullable(),
  created_at: Instant,
  reviewed_at: Instant.nullable(),
  batch_no: z.string().nullable(),
  match_user_id: UserId.nullable(),
  /** what was filled in */
  filled: z.array(z.object({ prop: z.string(), label: z.string(), value: z.string() })),
  /** what passing would change of the matched person */
  diff: z.array(Change),
  /** what stands in the way of passing; a field of the form can be filled in by the reviewer */
  errors: z.array(Issue),
  warnings: z.array(Issue),
})
export type RegisterEntryRow = z.output<typeof RegisterEntryRow>

const Ids = z.array(EntryId).min(1, { error: '请选择登记' }).max(most_reviewed, { error: `一次最多处理${most_reviewed}条` })
/** What the reviewer decides of single entries: texts he adds, changes he leaves out, and whether it is a newcomer after all. */
const Added = z.record(EntryId, z.strictObject({ cells: Values.default({}), left_out: z.array(z.string().max(40)).max(100).default([]), is_new: z.boolean().optional() }))

/** Reviewing of what was sent in (chapter 20 rule 28). */
export const registerEntryApi = api('v2', 'people.register_entry', {
  page: post('register/entry/page', {
    reads: true, body: PageQuery.extend({ state: filter(z.enum(entry_states)), field_scene: filter(FieldScene), keyword: filter(z.string().max(50)) }),
    reply: page(RegisterEntryRow),
    ...review,
  }),
  pass: post('register/entry/pass', { body: z.strictObject({ ids: Ids, added: Added.default({}) }), reply: z.object({ passed: z.number().int(), batch_no: z.string().regex(/^[0-9]{10,40}$/) }), op: 6, ...review }),
  refuse: post('register/entry/refuse', { body: z.strictObject({ ids: Ids, reason: z.string().trim().min(1, { error: '请填写拒绝原因' }).max(200, { error: '超过200个字' }) }), reply: z.object({ refused: z.number().int() }), op: 4, ...review }),
})
