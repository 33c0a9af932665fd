import { api, filter, get, queryList } from '@kit/contract'
import { z } from 'zod'
import { DeptId } from './dept.ts'
import { student_missing } from './missing.ts'
import type { StudentMissing } from './missing.ts'
import { UserId } from './student.ts'

/** People whom one collection can name. */
export const most_lacking = 2000

const count = z.number().int()
const Missing = z.enum(student_missing)

/** A class with how full its files are on average, and what is missing in how many of them, the most first; nothing that everybody has. */
export const CompleteClass = z.object({
  dept_id: DeptId,
  /** label in the school's format */
  dept_name: z.string(),
  students: count,
  percent: count.min(0).max(100),
  missing: z.array(z.object({ field: Missing, count })),
})
export type CompleteClass = z.output<typeof CompleteClass>

const view = { need: 'people.student.view', within: 'student_dept' } as const

/** Which class misses what (chapter 20 §10.5). */
export const completenessApi = api('web', 'people.completeness', {
  classes: get('people/completeness', { query: z.object({ dept_id: filter(DeptId) }), reply: z.object({ list: z.array(CompleteClass) }), ...view }),
  /** who of a department and everything below it lacks one of these; the first 2,000 of `total` */
  lacking: get('people/completeness/lacking', {
    query: z.object({ dept_id: filter(DeptId), missing: queryList(Missing, student_missing.length) }),
    reply: z.object({ user_ids: z.array(UserId), total: count }),
    ...view,
  }),
})

/** What families can be asked for, of what is missing: fields of a collection. A photo, a guardian and the way of entry are the school's to give. */
export function askableOf(missing: readonly StudentMissing[]): StudentMissing[] {
  return missing.filter(field => !given_by_school.has(field))
}

const given_by_school: ReadonlySet<StudentMissing> = new Set(['photo', 'guardian', 'entry_way'])
