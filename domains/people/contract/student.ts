import { api, Day, filter, get, id, Instant, page, PageQuery, QueryFlag, queryList } from '@kit/contract'
import { z } from 'zod'
import { DeptId } from './dept.ts'
import { student_missing } from './missing.ts'
import { remark_filters } from './remark-value.ts'
import { TagId, TagMark } from './tag-mark.ts'

export const UserId = id('identity.account')

export const GuardianBrief = z.object({
  user_id: UserId,
  user_name: z.string(),
  relation: z.string(),
  /** masked: 169****0001 */
  mobile: z.string().nullable(),
  is_first: z.boolean(),
  is_guardian: z.boolean(),
})
export type GuardianBrief = z.output<typeof GuardianBrief>

/** One pupil of the roll; personal numbers are masked (chapter 20 §4 wire rows). */
export const StudentRow = z.object({
  user_id: UserId,
  user_serial: UserId,
  user_name: z.string(),
  user_no: z.string(),
  student_no: z.string(),
  dept_id: DeptId.nullable(),
  /** class label in the school's format (chapter 20 rule 10) */
  dept_name: z.string().nullable(),
  grade: z.string().nullable(),
  sex: z.string(),
  id_type: z.string().nullable(),
  id_no: z.string().nullable(),
  study_method: z.string().nullable(),
  state: z.string(),
  state_until: Day.nullable(),
  photo_url: z.string().nullable(),
  parents: z.array(GuardianBrief),
  tags: z.array(TagMark),
  /** custom fields that the roll offers, by code; sensitive ones masked */
  ext: z.record(z.string(), z.string()),
  completeness: z.number().int().min(0).max(100),
  row_version: z.number().int(),
  updated_at: Instant,
})
export type StudentRow = z.output<typeof StudentRow>

export const student_sorts = ['student_no', 'name_py', 'dept', 'updated'] as const
const most_asked_tags = 20

export const StudentQuery = PageQuery.extend({
  sort: filter(z.enum(student_sorts)),
  dept_id: filter(DeptId),
  include_sub: filter(QueryFlag),
  on: filter(Day),
  state: filter(z.string().max(4)),
  sex: filter(z.string().max(2)),
  grade: filter(z.string().max(2)),
  stage: filter(z.string().max(1)),
  study_method: filter(z.string().max(2)),
  missing: filter(z.enum(student_missing)),
  /** who has one of these tags */
  tag_ids: filter(queryList(TagId, most_asked_tags)),
  /** a custom field and its value, `code:value`; without a value who has none */
  ext: filter(z.string().regex(/^[a-z][a-z0-9_]{1,29}:.{0,30}$/)),
  ...remark_filters,
  keyword: filter(z.string().max(50)),
})

export const studentApi = api('web', 'people.student', {
  list: get('v3/userInfo/get_student_list', {
    also: ['getWebStuList'],
    query: StudentQuery,
    reply: page(StudentRow),
    need: 'people.student.view',
    within: 'student_dept',
  }),
})

export const ParentRow = z.object({
  user_id: UserId,
  user_name: z.string(),
  mobile: z.string().nullable(),
  children: z.array(
    z.object({
      user_id: UserId,
      user_name: z.string(),
      student_no: z.string(),
      dept_name: z.string().nullable(),
      relation: z.string(),
      is_guardian: z.boolean(),
    }),
  ),
  row_version: z.number().int(),
  updated_at: Instant,
})
export type ParentRow = z.output<typeof ParentRow>

export const ParentQuery = PageQuery.extend({
  dept_id: filter(DeptId),
  include_sub: filter(QueryFlag),
  keyword: filter(z.string().max(50)),
  is_guardian: filter(QueryFlag),
})

export const parentApi = api('web', 'people.parent', {
  list: get('userInfo/web/parent/list', {
    query: ParentQuery,
    reply: page(ParentRow),
    need: 'people.parent.view',
    within: 'student_dept',
  }),
})
