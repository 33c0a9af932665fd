import { JobNo } from '@campus/jobs/contract'
import { api, post } from '@kit/contract'
import { z } from 'zod'
import { ExtName, most_custom } from './field.ts'
import { StaffQuery } from './staff.ts'

/** Columns of the staff list, in its order, with their headers. */
export const staff_export_fields = {
  user_name: '姓名',
  teacher_no: '工号',
  sex: '性别',
  mobile: '手机号',
  dept: '主部门',
  part_depts: '兼任部门',
  position: '岗位',
  kind: '类别',
  title: '职称',
  subject: '学科',
  heads: '班主任班级',
  state: '状态',
  roles: '角色',
  updated_at: '更新时间',
} as const
export type StaffExportField = keyof typeof staff_export_fields

const names = Object.keys(staff_export_fields).filter((name): name is StaffExportField => name in staff_export_fields)

/** The filtered, sorted list as a sheet, made by a job (chapter 20 rule 32). */
export const staffExportApi = api('v2', 'people.staff', {
  export: post('v4/userInfo/teacher/export', {
    body: StaffQuery.omit({ page_index: true, page_size: true }).extend({ fields: z.array(z.union([z.enum(names), ExtName])).min(1).max(20 + most_custom).optional(), reason: z.string().trim().max(200).optional() }),
    reply: z.object({ job_no: JobNo }),
    need: 'people.staff.export',
    within: 'staff_dept',
    op: 7,
  }),
})
