import { api, Day, del, filter, get, post, put, QueryFlag, SchoolId } from '@kit/contract'
import { checkDeptName, trimName } from '@kit/contract/checks'
import { z } from 'zod'
import { DeptId, tree_kinds } from './dept.ts'
import { RemarkValues } from './remark-value.ts'
import { UserId } from './student.ts'

/** Most departments of one batch. */
export const most_depts = 200
/** Most numbered classes made at once. */
const most_class_no = 99

/** Letters, digits, Chinese, `()（）-_·` and blanks, at most 30: the one rule of form, call and import (chapter 20 rule 12). */
const DeptName = z
  .string()
  .overwrite(trimName)
  .superRefine((name, ctx) => {
    const verdict = name === '' ? '请填写部门名称' : checkDeptName(name)
    if (verdict) ctx.addIssue({ code: 'custom', message: verdict })
  })

const facts = {
  dept_name: DeptName,
  dept_type: z.number().int(),
  tree: z.enum([...tree_kinds, 'both']),
  stage: z.string().max(1).nullable().optional(),
  enrol_year: z.number().int().min(1970).max(2100).nullable().optional(),
  grade: z.string().max(2).nullable().optional(),
  class_no: z.number().int().min(1).max(most_class_no).nullable().optional(),
  class_type: z.string().max(2).nullable().optional(),
  capacity: z.number().int().min(1, { error: '人数上限为1至200' }).max(200, { error: '人数上限为1至200' }).nullable().optional(),
  code: z.string().trim().max(50).nullable().optional(),
}
const duties = { head_user_id: UserId.nullable().optional(), vice_user_ids: z.array(UserId).max(5).optional() }

/** A new department under the parent of the path; a class takes stage, year and grade from its grade when they are left out. */
export const DeptDraft = z.strictObject({ ...facts, tree: facts.tree.optional(), ...duties, remarks: RemarkValues.optional(), effective_on: Day.optional() })
export type DeptDraft = z.output<typeof DeptDraft>

/** Changed facts only. Name and parent are dated: they hold from `effective_on` (default today). */
export const DeptPatch = z.strictObject({
  row_version: z.number().int(),
  parent_id: DeptId.optional(),
  dept_name: DeptName.optional(),
  class_type: facts.class_type,
  capacity: facts.capacity,
  code: facts.code,
  ...duties,
  remarks: RemarkValues.optional(),
  effective_on: Day.optional(),
})
export type DeptPatch = z.output<typeof DeptPatch>

const DeptSaved = z.object({ id: DeptId, row_version: z.number().int() })
const Staff = z.object({ user_id: UserId, user_name: z.string() })

/** A department with its history, for the edit form. */
export const DeptFile = z.object({
  id: DeptId,
  row_version: z.number().int(),
  parent_id: DeptId.nullable(),
  pname: z.string().nullable(),
  dept_name: z.string(),
  label: z.string(),
  dept_type: z.number().int(),
  tree: z.enum([...tree_kinds, 'both']),
  stage: z.string().nullable(),
  enrol_year: z.number().int().nullable(),
  grade: z.string().nullable(),
  class_no: z.number().int().nullable(),
  class_type: z.string().nullable(),
  capacity: z.number().int().nullable(),
  code: z.string().nullable(),
  opened_on: Day,
  closed_on: Day.nullable(),
  head: Staff.nullable(),
  vices: z.array(Staff),
  /** what it says itself of the remark fields, by field */
  remarks: z.record(z.string(), z.string()),
  versions: z.array(z.object({ valid_from: Day, valid_to: Day.nullable(), dept_name: z.string(), pt_node_path_name: z.string(), grade: z.string().nullable() })),
})
export type DeptFile = z.output<typeof DeptFile>

/** What removing a department does, or what forbids it. `closed`: it has a past, so it ends on a day instead of vanishing. */
const DeptRemoval = z.object({
  outcome: z.enum(['deleted', 'closed']),
  dry: z.boolean(),
  blocks: z.array(z.object({ title: z.string(), count: z.number().int() })),
})

const Here = z.object({ school_id: SchoolId, id: DeptId })

/** One class of the board. */
export const BoardClass = z.object({
  id: DeptId,
  row_version: z.number().int(),
  dept_name: z.string(),
  label: z.string(),
  class_no: z.number().int().nullable(),
  capacity: z.number().int().nullable(),
  head: Staff.nullable(),
  student_count: z.number().int(),
  boys: z.number().int(),
  girls: z.number().int(),
  boarders: z.number().int(),
  kept: z.number().int(),
  closed_on: Day.nullable(),
})
export type BoardClass = z.output<typeof BoardClass>
export const BoardGrade = z.object({
  id: DeptId,
  row_version: z.number().int(),
  dept_name: z.string(),
  stage: z.string().nullable(),
  /** the department above, e.g. 小学部 */
  pname: z.string().nullable(),
  grade: z.string().nullable(),
  enrol_year: z.number().int().nullable(),
  head: Staff.nullable(),
  classes: z.array(BoardClass),
})
export type BoardGrade = z.output<typeof BoardGrade>

/** Departments: reading for the board, writing (chapter 20 §4 Departments). {a} of the path is the school. */
export const deptEditApi = api('web', 'people.dept', {
  treeByGrade: get('dept/treeByGrade', { query: z.object({ on: filter(Day) }), reply: z.object({ list: z.array(BoardGrade) }), need: 'people.dept.view', within: 'student_dept' }),
  days: get('dept/days', { query: z.object({ tree: z.enum(tree_kinds).default('student') }), reply: z.object({ list: z.array(z.object({ day: Day, changes: z.number().int() })) }), need: 'people.dept.view', within: 'dept' }),
  detail: get('v3/dept/:school_id/:id', { params: Here, reply: DeptFile, need: 'people.dept.view', within: 'dept' }),
  add: post('v3/dept/:school_id/:parent_id', { params: z.object({ school_id: SchoolId, parent_id: DeptId }), body: DeptDraft, reply: DeptSaved, need: 'people.dept.edit', within: 'dept' }),
  update: put('v3/dept/:school_id/:id', { params: Here, body: DeptPatch, reply: DeptSaved, need: 'people.dept.edit', within: 'dept' }),
  remove: del('v3/dept/:school_id/:id', {
    params: Here,
    query: z.object({ row_version: z.coerce.number().int(), dry: filter(QueryFlag), effective_on: filter(Day) }),
    reply: DeptRemoval,
    need: 'people.dept.edit',
    within: 'dept',
  }),
  /** takes the planned end of a department back, as long as its day has not come */
  keepOpen: put('v3/dept/:school_id/:id/keep_open', { params: Here, body: z.strictObject({ row_version: z.number().int() }), reply: DeptSaved, need: 'people.dept.edit', within: 'dept', op: 14 }),
  batchAdd: post('v3/dept/batch_add', {
    body: z.union([
      z.strictObject({ rows: z.array(DeptDraft.extend({ parent_id: DeptId })).min(1).max(most_depts) }),
      /** 一年级 1–6班: numbered classes of one grade */
      z.strictObject({ parent_id: DeptId, from_no: z.number().int().min(1).max(most_class_no), to_no: z.number().int().min(1).max(most_class_no), class_type: facts.class_type, capacity: facts.capacity, effective_on: Day.optional() }),
    ]),
    reply: z.object({ list: z.array(DeptSaved) }),
    need: 'people.dept.edit',
    within: 'dept',
  }),
  batchUpdate: put('v3/dept/batch_update', {
    body: z.strictObject({ rows: z.array(DeptPatch.extend({ id: DeptId })).min(1).max(most_depts) }),
    reply: z.object({ list: z.array(DeptSaved) }),
    need: 'people.dept.edit',
    within: 'dept',
  }),
  reorder: put('changeDeptShowOrder/:school_id/:id/:index', {
    params: Here.extend({ index: z.coerce.number().int().min(1).max(9999) }),
    reply: z.object({ list: z.array(z.object({ id: DeptId, show_order: z.number().int() })) }),
    need: 'people.dept.edit',
    within: 'dept',
  }),
})
