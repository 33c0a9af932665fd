import { JobNo } from '@campus/jobs/contract'
import { api, Day, filter, post } from '@kit/contract'
import { z } from 'zod'
import { tree_kinds } from './dept.ts'

/** The departments of a tree on a day as a sheet, made by a job (chapter 20 §6). */
export const deptExportApi = api('v2', 'people.dept', {
  export: post('v4/dept/export', {
    body: z.strictObject({ tree: z.enum(tree_kinds), on: filter(Day) }),
    reply: z.object({ job_no: JobNo }),
    need: 'people.dept.export',
    within: 'dept',
    op: 7,
  }),
})
