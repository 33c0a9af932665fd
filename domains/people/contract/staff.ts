import { api, filter, get, Instant, page, PageQuery, QueryFlag, queryList } from '@kit/contract'
import { z } from 'zod'
import { DeptId } from './dept.ts'
import { UserId } from './student.ts'
import { TagId, TagMark } from './tag-mark.ts'

/** States of somebody on the staff; every other state of STAFF_STATE is a departure, which has no open span. */
export const staff_states = ['11', '12', '13', '04'] as const
export const duties = ['head', 'vice_head', 'grade_head', 'dept_leader', 'safety'] as const

/** One member of staff; the mobile is masked (chapter 20 §4 wire rows). */
export const StaffRow = z.object({
  user_id: UserId,
  user_serial: UserId,
  user_name: z.string(),
  user_no: z.string(),
  teacher_no: z.string(),
  sex: z.string(),
  /** masked: 169****0001 */
  mobile: z.string().nullable(),
  kind: z.string(),
  post: z.string().nullable(),
  title: z.string().nullable(),
  subject: z.string().nullable(),
  state: z.string(),
  /** the primary one first */
  depts: z.array(z.object({ dept_id: DeptId, dept_name: z.string(), is_primary: z.boolean(), position: z.string().nullable() })),
  duties: z.array(z.object({ duty: z.enum(duties), dept_id: DeptId, dept_name: z.string() })),
  roles: z.array(z.object({ id: z.string(), name: z.string() })),
  tags: z.array(TagMark),
  /** custom fields that the list offers, by code; sensitive values masked */
  ext: z.record(z.string(), z.string()),
  photo_url: z.string().nullable(),
  row_version: z.number().int(),
  updated_at: Instant,
})
export type StaffRow = z.output<typeof StaffRow>

export const staff_sorts = ['teacher_no', 'name_py', 'updated'] as const
const most_asked_tags = 20
/** Names and numbers in one answer. */
export const most_staff = 5000

export const StaffQuery = PageQuery.extend({
  sort: filter(z.enum(staff_sorts)),
  dept_id: filter(DeptId),
  include_sub: filter(QueryFlag),
  kind: filter(z.string().max(2)),
  state: filter(z.string().max(2)),
  subject: filter(z.string().max(2)),
  title: filter(z.string().max(1)),
  duty: filter(z.enum(duties)),
  /** who has one of these tags */
  tag_ids: filter(queryList(TagId, most_asked_tags)),
  /** `code:value` of a custom field that the list offers; without a value: nothing filled */
  ext: filter(z.string().regex(/^[a-z][a-z0-9_]{1,29}:.{0,30}$/)),
  keyword: filter(z.string().max(50)),
})

const StaffName = z.object({ user_id: UserId, user_name: z.string(), user_no: z.string() })
const view = { need: 'people.staff.view', within: 'staff_dept' } as const

/** Staff of the school within the row scope (chapter 20 §4 Lists). */
export const staffApi = api('web', 'people.staff', {
  list: get('v3/userInfo/get_teacher_list', { also: ['v4/userInfo/web/page/teacher'], query: StaffQuery, reply: page(StaffRow), ...view }),
  all: get('userInfo/teacher/all', { reply: z.object({ list: z.array(StaffName).max(most_staff) }), ...view }),
})
