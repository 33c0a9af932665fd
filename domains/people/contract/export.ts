import { JobNo } from '@campus/jobs/contract'
import { api, post } from '@kit/contract'
import { z } from 'zod'
import { ExtName, most_custom } from './field.ts'
import { ParentQuery, StudentQuery } from './student.ts'

/** Columns of the pupils' list, in its order, with their headers. */
export const student_export_fields = {
  user_name: '姓名',
  student_no: '学号',
  dept_name: '班级',
  grade: '年级',
  sex: '性别',
  id_type: '证件类型',
  id_no: '证件号',
  study_method: '就读方式',
  state: '状态',
  parents: '家长',
  completeness: '完整度',
  updated_at: '更新时间',
} as const

/** Columns of the parents' list, in its order, with their headers. */
export const parent_export_fields = { user_name: '姓名', mobile: '手机号', children: '孩子', relation: '关系', updated_at: '更新时间' } as const

/** More rows of people than this need a reason (chapter 10 J3). */
export const reason_above = 1000
/** Rows of one export; `people.export.bulk` lifts it. */
export const export_cap = 20_000
export const bulk_export_cap = 200_000
export const bulk_export_code = 'people.export.bulk'

const paging = { page_index: true, page_size: true } as const
const reason = z.string().trim().max(200).optional()
/** Columns of the sheet, in this order; absent = all of the list. */
const columnsOf = <T extends Record<string, string>>(fields: T) => z.array(z.enum(fieldNames(fields))).min(1).max(20).optional()
/** The same with the school's own fields as `ext.<code>`. */
const ownColumnsOf = <T extends Record<string, string>>(fields: T) => z.array(z.union([z.enum(fieldNames(fields)), ExtName])).min(1).max(20 + most_custom).optional()

function fieldNames<T extends Record<string, string>>(fields: T): Record<keyof T & string, keyof T & string>
function fieldNames(fields: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.keys(fields).map(name => [name, name]))
}

const Started = z.object({ job_no: JobNo })

/** The filtered, sorted list as a sheet, made by a job (chapter 20 rule 32). */
export const studentExportApi = api('v2', 'people.student', {
  export: post('v4/userInfo/student/export', {
    body: StudentQuery.omit(paging).extend({ fields: ownColumnsOf(student_export_fields), reason }),
    reply: Started,
    need: 'people.student.export',
    within: 'student_dept',
    op: 7,
  }),
})

export const parentExportApi = api('v2', 'people.parent', {
  export: post('v4/userInfo/parent/export', {
    body: ParentQuery.omit(paging).extend({ fields: columnsOf(parent_export_fields), reason }),
    reply: Started,
    need: 'people.parent.export',
    within: 'student_dept',
    op: 7,
  }),
})
