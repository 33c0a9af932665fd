import { api, get } from '@kit/contract'
import { z } from 'zod'

const count = z.number().int()

/** Pupils in school today, inside the scope; `stage` null: classes that say none. */
export const PupilOverview = z.object({ total: count, boys: count, girls: count, boarders: count, stages: z.array(z.object({ stage: z.string().nullable(), total: count })) })
export type PupilOverview = z.output<typeof PupilOverview>

/** Staff in office today, inside the scope, each counted once; `kind` of STAFF_KIND. */
export const StaffOverview = z.object({ total: count, kinds: z.array(z.object({ kind: z.string(), total: count })) })
export type StaffOverview = z.output<typeof StaffOverview>

/** 人员概况 of 学校信息 (chapter 20 §5.2). */
export const overviewApi = api('web', 'people.overview', {
  pupils: get('people/overview/pupils', { reply: PupilOverview, need: 'people.student.view', within: 'student_dept' }),
  staff: get('people/overview/staff', { reply: StaffOverview, need: 'people.dept.view', within: 'staff_dept' }),
})
