import { api, Day, filled, get, Instant, loose, post, put, required_msg } from '@kit/contract'
import { z } from 'zod'
import { DeptId } from './dept.ts'
import { CustomValue, ExtDraft, most_custom } from './field.ts'
import { checkIdNo, registry, registry_props } from './registry.ts'
import type { RegistryField, RegistryProp } from './registry.ts'
import { UserId } from './student.ts'

/** Guardians of one pupil at a time (chapter 20 §1.2). */
export const most_guardians = 6

/** Fields that always hold something: they may be left alone, never emptied. */
const firm_props = ['user_name', 'sex', 'student_no', 'enrol_month', 'by_bus'] as const satisfies readonly RegistryProp[]
type FirmProp = (typeof firm_props)[number]
type LooseProp = Exclude<RegistryProp, FirmProp>

function shapeOf<P extends RegistryProp, S>(props: readonly P[], make: (field: RegistryField) => S): Record<P, S>
function shapeOf<S>(props: readonly RegistryProp[], make: (field: RegistryField) => S): Record<string, S> {
  return Object.fromEntries(props.map(prop => [prop, make(registry[prop])]))
}

const loose_props = registry_props.filter((prop): prop is LooseProp => !firm_props.some(firm => firm === prop))
const firm_shape = shapeOf(firm_props, field => filled(field).optional())
const loose_shape = shapeOf(loose_props, field => loose(field).optional())

/** The rule of every field that forms and calls share; an empty one passes, what is demanded the form says itself. */
export const field_rules: Readonly<Record<RegistryProp, z.ZodType>> = shapeOf(registry_props, loose)

const guardian_fields = {
  user_name: { label: '姓名', kind: 'name', home: 'person' },
  mobile: { label: '手机号', kind: 'mobile', home: 'person', masked: true },
  relation: { label: '关系', kind: 'dict', home: 'person', dict: 'PICKUP_RELATION' },
  id_type: { label: '身份证件类型', kind: 'dict', home: 'person', dict: 'ID_TYPE' },
  id_no: { label: '身份证件号', kind: 'id_no', home: 'person', masked: true },
  work: { label: '工作单位', kind: 'text', home: 'person', max: 100 },
  edu: { label: '学历', kind: 'dict', home: 'person', dict: 'EDU_LEVEL' },
} as const satisfies Record<string, RegistryField>
export type GuardianProp = keyof typeof guardian_fields

/** The texts of a guardian, as the registry describes those of a pupil. */
export const guardian_registry: Readonly<Record<GuardianProp, RegistryField>> = guardian_fields

const flags = { is_first: z.boolean().optional(), is_guardian: z.boolean().optional(), can_pickup: z.boolean().optional() }
const guardian_loose = {
  id_type: loose(guardian_fields.id_type).optional(),
  id_no: loose(guardian_fields.id_no).optional(),
  work: loose(guardian_fields.work).optional(),
  edu: loose(guardian_fields.edu).optional(),
}
const guardian_firm = { user_name: filled(guardian_fields.user_name), mobile: filled(guardian_fields.mobile), relation: filled(guardian_fields.relation) }

/** Rules of the texts of a guardian for forms. */
export const guardian_rules: Readonly<Record<GuardianProp, z.ZodType>> = { ...guardian_firm, ...guardian_loose }

/** A guardian to be linked; who has the same mobile and name already, joins (chapter 20 rule 16). */
export const GuardianDraft = z.strictObject({ ...guardian_firm, ...guardian_loose, ...flags })
export type GuardianDraft = z.output<typeof GuardianDraft>

/**
 * One line of the guardians of an edit: with `user_id` a guardian of the pupil, of whom only what is named changes or who is removed;
 * without it a new one. Guardians without a line stay as they are. `row_version` is the guardian's own.
 */
export const GuardianEntry = z
  .strictObject({
    user_id: UserId.optional(),
    row_version: z.number().int().optional(),
    removed: z.boolean().optional(),
    user_name: guardian_firm.user_name.optional(),
    mobile: guardian_firm.mobile.optional(),
    relation: guardian_firm.relation.optional(),
    ...guardian_loose,
    ...flags,
  })
  .superRefine((entry, ctx) => {
    const demanded = entry.user_id === undefined ? (['user_name', 'mobile', 'relation'] as const) : []
    for (const name of demanded) if (entry[name] === undefined) ctx.addIssue({ code: 'custom', path: [name], message: required_msg })
  })
export type GuardianEntry = z.output<typeof GuardianEntry>

/** Fields whose warning the person has read: `id_no`, `birthday`, `parents.0.id_no` … */
const AcceptWarnings = z.array(z.string().max(40)).max(20).optional()
const too_many = `每名学生最多关联${most_guardians}名家长`
const parents_missing = '请至少填写一名家长'

/** A new pupil with guardians, enrolled today into the class `dept_id`: 转入, or 入学 with `change_kind` ENROL. */
export const StudentDraft = z
  .strictObject({
    ...firm_shape,
    ...loose_shape,
    user_name: filled(registry.user_name),
    student_no: filled(registry.student_no),
    dept_id: DeptId,
    parents: z.array(GuardianDraft, { error: parents_missing }).min(1, { error: parents_missing }).max(most_guardians, { error: too_many }),
    change_kind: z.enum(['IN', 'ENROL']).default('IN'),
    ext: ExtDraft.optional(),
    accept_warnings: AcceptWarnings,
  })
  .superRefine(checkDocument)
  .superRefine(({ parents }, ctx) => parents.forEach((parent, at) => checkGuardianDocument(parent, ['parents', at], ctx)))
export type StudentDraft = z.output<typeof StudentDraft>

/** Changed fields of a pupil; null empties. Class and state are not fields: they change by commands (chapter 20 §1). */
export const StudentPatch = z.strictObject({
  user_id: UserId,
  row_version: z.number().int(),
  ...firm_shape,
  ...loose_shape,
  parents: z.array(GuardianEntry).max(4 * most_guardians, { error: too_many }).optional(),
  ext: ExtDraft.optional(),
  accept_warnings: AcceptWarnings,
})
export type StudentPatch = z.output<typeof StudentPatch>

type Document = { id_type?: string | null; id_no?: string | null }

/** Document and number go together; without both the pupil has no document (无证件). */
function checkDocument({ id_type, id_no }: Document, ctx: z.RefinementCtx): void {
  if (id_type && !id_no) ctx.addIssue({ code: 'custom', path: ['id_no'], message: required_msg })
  if (id_no && !id_type) ctx.addIssue({ code: 'custom', path: ['id_type'], message: required_msg })
  const wrong = id_no && id_type ? checkIdNo(id_no, id_type) : null
  if (wrong !== null) ctx.addIssue({ code: 'custom', path: ['id_no'], message: wrong })
}

/** A guardian's number without a document is a resident number. */
function checkGuardianDocument({ id_type, id_no }: Document, path: (string | number)[], ctx: z.RefinementCtx): void {
  const wrong = id_no ? checkIdNo(id_no, id_type ?? '1') : null
  if (wrong !== null) ctx.addIssue({ code: 'custom', path: [...path, 'id_no'], message: wrong })
}

const Notice = z.object({ field: z.string(), msg: z.string() })
/** What became of a file; `warnings` are those the person has confirmed. */
const FileSaved = z.object({ user_id: UserId, row_version: z.number().int(), warnings: z.array(Notice) })

/** A guardian in the file; numbers masked. `is_locked`: the person is staff or pupil too, whose own file has name and numbers. */
export const FileGuardian = z.object({
  user_id: UserId,
  row_version: z.number().int(),
  user_name: z.string(),
  mobile: z.string().nullable(),
  relation: z.string(),
  is_first: z.boolean(),
  is_guardian: z.boolean(),
  can_pickup: z.boolean(),
  id_type: z.string().nullable(),
  id_no: z.string().nullable(),
  work: z.string().nullable(),
  edu: z.string().nullable(),
  is_locked: z.boolean(),
})
export type FileGuardian = z.output<typeof FileGuardian>

/** The whole file of one pupil on the roll; fields of class L3 are masked and named in `masked`. */
export const PersonFile = z.object({
  user_id: UserId,
  row_version: z.number().int(),
  dept_id: DeptId.nullable(),
  /** class label in the school's format */
  dept_name: z.string().nullable(),
  /** in the class since */
  member_since: Day.nullable(),
  state: z.string(),
  state_until: Day.nullable(),
  states: z.array(z.object({ state: z.string(), valid_from: Day, valid_to: Day.nullable(), open_kind: z.string() })),
  photo_url: z.string().nullable(),
  registry: z.object(shapeOf(registry_props, () => z.string().nullable())),
  masked: z.array(z.string()),
  /** the school's own fields in their order; a sensitive value is masked */
  custom: z.array(CustomValue),
  /** names of the administrative divisions in the registry, by code */
  division_names: z.record(z.string(), z.string()),
  parents: z.array(FileGuardian),
  created_at: Instant,
  updated_at: Instant,
  updated_by: z.string().nullable(),
})
export type PersonFile = z.output<typeof PersonFile>

/** Protected fields that can be shown in clear: a pupil's, a guardian's, those of a member of staff. */
export const reveal_fields = ['id_no', 'school_roll_no', 'tel', 'address', 'mail_address', 'home_address', 'mobile'] as const
/** A protected custom field of the file, by its code. */
const RevealExt = z.templateLiteral(['ext.', z.string().regex(/^[a-z][a-z0-9_]{1,29}$/)])

/** POST, PUT userInfo/web/student_parent (chapter 20 §4 CRUD). */
export const studentFileApi = api('web', 'people.student', {
  create: post('userInfo/web/student_parent', { body: StudentDraft, reply: FileSaved, need: 'people.student.edit', within: 'student_dept' }),
  update: put('userInfo/web/student_parent', { body: StudentPatch, reply: FileSaved, need: 'people.student.edit', within: 'student_dept' }),
})

const reveal_op = 13
const RevealBody = z.strictObject({
  user_id: UserId,
  fields: z.array(z.union([z.enum(reveal_fields), RevealExt])).min(1).max(reveal_fields.length + most_custom),
  reason: z.string().max(100, { error: '超过100个字' }).default(''),
})

/** One person's file and the protected values in it (chapter 20 §4, rule 25). */
export const personApi = api('core', 'people.person', {
  detail: get('person/:id', { params: z.object({ id: UserId }), reply: PersonFile, need: 'people.student.view', within: 'student_dept' }),
  reveal: post('person/reveal', {
    body: RevealBody,
    reply: z.object({ user_id: UserId, values: z.record(z.string(), z.string().nullable()) }),
    need: 'people.person.reveal',
    within: 'dept',
    op: reveal_op,
    tells_secret: true,
  }),
})
