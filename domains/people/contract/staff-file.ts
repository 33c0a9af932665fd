import { api, Day, filled, get, id, Instant, loose, post, put, required_msg } from '@kit/contract'
import type { FieldRule } from '@kit/contract'
import { z } from 'zod'
import { DeptId } from './dept.ts'
import { CustomValue, ExtDraft } from './field.ts'
import { checkIdNo } from './registry.ts'
import { duties } from './staff.ts'
import { UserId } from './student.ts'
import { Plates } from './vehicle.ts'

/** One field of the file of a member of staff. */
export type StaffField = FieldRule & { label: string; home: 'person' | 'staff'; dict?: string; masked?: true; firm?: true }

const person_dict = { kind: 'dict', home: 'person' } as const
const staff_dict = { kind: 'dict', home: 'staff' } as const

const table = {
  user_name: { label: '姓名', kind: 'name', home: 'person', firm: true },
  sex: { label: '性别', dict: 'SEX', firm: true, ...person_dict },
  teacher_no: { label: '工号', kind: 'alnum_1_50', home: 'staff', firm: true },
  mobile: { label: '手机号', kind: 'mobile', home: 'person', masked: true, firm: true },
  kind: { label: '教职工类别', dict: 'STAFF_KIND', firm: true, ...staff_dict },
  join_month: { label: '来校年月', kind: 'month', home: 'staff', firm: true },
  id_type: { label: '身份证件类型', dict: 'ID_TYPE', ...person_dict },
  id_no: { label: '身份证件号', kind: 'id_no', home: 'person', masked: true },
  birthday: { label: '出生日期', kind: 'date', home: 'person' },
  nation: { label: '民族', dict: 'NATION', ...person_dict },
  political: { label: '政治面貌', dict: 'POLITICAL_SHORT', ...person_dict },
  bz: { label: '编制类别', dict: 'STAFF_BZ_K12', ...staff_dict },
  post: { label: '岗位类别', dict: 'POST_CATEGORY', ...staff_dict },
  employ: { label: '用人形式', dict: 'EMPLOY_FORM', ...staff_dict },
  edu: { label: '学历', dict: 'EDU_LEVEL', ...staff_dict },
  degree: { label: '学位', dict: 'DEGREE', ...staff_dict },
  title: { label: '职称', dict: 'TITLE_K12', ...staff_dict },
  stage: { label: '任课学段', dict: 'TEACH_STAGE', ...staff_dict },
  subject: { label: '任教学科', dict: 'SUBJECT', ...staff_dict },
  cert: { label: '教师资格证种类', dict: 'TEACHER_CERT', ...staff_dict },
  mandarin: { label: '普通话等级', dict: 'MANDARIN', ...staff_dict },
  work_month: { label: '参加工作年月', kind: 'month', home: 'staff' },
  email: { label: '电子信箱', kind: 'email', home: 'person' },
  qq: { label: 'QQ', kind: 'qq', home: 'person' },
  remark: { label: '备注', kind: 'text', home: 'staff', max: 200 },
} as const satisfies Record<string, StaffField>

export type StaffProp = keyof typeof table
/** Every field of the file of a member of staff, in the order of the template for sheets. */
export const staff_registry: Readonly<Record<StaffProp, StaffField>> = table
export const staff_props = Object.keys(table).filter((name): name is StaffProp => isStaffProp(name))
/** Is this the name of a field of the file? */
export function isStaffProp(name: string): name is StaffProp {
  return Object.hasOwn(table, name)
}

const firm_props = ['user_name', 'sex', 'teacher_no', 'mobile', 'kind', 'join_month'] as const satisfies readonly StaffProp[]
type LooseProp = Exclude<StaffProp, (typeof firm_props)[number]>
const loose_props = staff_props.filter((prop): prop is LooseProp => !firm_props.some(firm => firm === prop))

function shapeOf<P extends StaffProp, S>(props: readonly P[], make: (field: StaffField) => S): Record<P, S>
function shapeOf<S>(props: readonly StaffProp[], make: (field: StaffField) => S): Record<string, S> {
  return Object.fromEntries(props.map(prop => [prop, make(staff_registry[prop])]))
}

/** The rule of every field that forms and calls share; an empty one passes. */
export const staff_rules: Readonly<Record<StaffProp, z.ZodType>> = shapeOf(staff_props, loose)

/** Departments of one person at a time. */
export const most_staff_depts = 10
const Post = z.strictObject({ dept_id: DeptId, position: z.string().trim().max(30, { error: '超过30个字' }).nullable().default(null) })
const eachOnce = (depts: readonly { dept_id: string }[]) => new Set(depts.map(dept => dept.dept_id)).size === depts.length
const twice = { error: '同一部门不能重复' }
/** Roles over the whole school; who gives them needs the permission for it and holds no less himself. */
const most_roles = 20
const RoleIds = z.array(id('identity.role')).max(most_roles).refine(ids => new Set(ids).size === ids.length, { error: '角色重复' })
const AcceptWarnings = z.array(z.string().max(40)).max(20).optional()

type Document = { id_type?: string | null; id_no?: string | null }
function checkDocument({ id_type, id_no }: Document, ctx: z.RefinementCtx): void {
  if (id_type && !id_no) ctx.addIssue({ code: 'custom', path: ['id_no'], message: required_msg })
  if (id_no && !id_type) ctx.addIssue({ code: 'custom', path: ['id_type'], message: required_msg })
  const wrong = id_no && id_type ? checkIdNo(id_no, id_type) : null
  if (wrong !== null) ctx.addIssue({ code: 'custom', path: ['id_no'], message: wrong })
}

/** A new member of staff, at work from `from` (default today); the first department is the primary one. */
export const StaffDraft = z
  .strictObject({
    ...shapeOf(firm_props, filled),
    ...shapeOf(loose_props, field => loose(field).optional()),
    depts: z.array(Post, { error: '请选择部门' }).min(1, { error: '请选择部门' }).max(most_staff_depts).refine(eachOnce, twice),
    plates: Plates.optional(),
    role_ids: RoleIds.optional(),
    ext: ExtDraft.optional(),
    accept_warnings: AcceptWarnings,
  })
  .superRefine(checkDocument)
export type StaffDraft = z.output<typeof StaffDraft>

/**
 * Changed fields of a member of staff; null empties. `depts` are all departments after the edit with their positions: part-time ones come and go,
 * the primary one changes by command alone (chapter 20 §1). `plates` and `role_ids` are all of them after the edit.
 */
export const StaffPatch = z.strictObject({
  user_id: UserId,
  row_version: z.number().int(),
  ...shapeOf(firm_props, field => filled(field).optional()),
  ...shapeOf(loose_props, field => loose(field).optional()),
  depts: z.array(Post).min(1).max(most_staff_depts).refine(eachOnce, twice).optional(),
  plates: Plates.optional(),
  role_ids: RoleIds.optional(),
  ext: ExtDraft.optional(),
  accept_warnings: AcceptWarnings,
})
export type StaffPatch = z.output<typeof StaffPatch>

const Notice = z.object({ field: z.string(), msg: z.string() })
const Saved = z.object({ user_id: UserId, row_version: z.number().int(), warnings: z.array(Notice) })

/** The whole file of one member of staff; identity number and mobile are masked and named in `masked`. */
export const StaffFile = z.object({
  user_id: UserId,
  row_version: z.number().int(),
  state: z.string(),
  registry: z.object(shapeOf(staff_props, () => z.string().nullable())),
  masked: z.array(z.string()),
  depts: z.array(z.object({ dept_id: DeptId, dept_name: z.string(), is_primary: z.boolean(), position: z.string().nullable() })),
  duties: z.array(z.object({ duty: z.enum(duties), dept_id: DeptId, dept_name: z.string() })),
  roles: z.array(z.object({ id: z.string(), name: z.string() })),
  plates: z.array(z.string()),
  custom: z.array(CustomValue),
  states: z.array(z.object({ state: z.string(), valid_from: Day, valid_to: Day.nullable(), open_kind: z.string(), reason: z.string().nullable() })),
  created_at: Instant,
  updated_at: Instant,
})
export type StaffFile = z.output<typeof StaffFile>

/** POST, GET, PUT userInfo/web/teacher (chapter 20 §4 CRUD). */
export const staffFileApi = api('web', 'people.staff', {
  create: post('userInfo/web/teacher', { body: StaffDraft, reply: Saved, need: 'people.staff.edit', within: 'staff_dept' }),
  detail: get('userInfo/web/teacher', { query: z.object({ user_id: UserId }), reply: StaffFile, need: 'people.staff.view', within: 'staff_dept' }),
  update: put('userInfo/web/teacher', { body: StaffPatch, reply: Saved, need: 'people.staff.edit', within: 'staff_dept' }),
})
