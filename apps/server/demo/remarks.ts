import { createRemarks } from '@campus/people/server'
import { dept_type } from './departments.ts'
import type { PlannedDept } from './departments.ts'
import type { Ids, Work } from './school-work.ts'

const senior_stage = '3'
/** Of the classes of a grade the first ones are of a special kind. */
const special_kinds = ['实验班', '特长班']
const usual_kind = '普通班'

/** Two remark fields (chapter 20 §8): the campus is said of the divisions, the kind of every class. */
export async function fillRemarks({ db, school_id }: Pick<Work, 'db' | 'school_id'>, depts: readonly PlannedDept[], dept_ids: Ids): Promise<void> {
  const said = (type: number, valueOf: (dept: PlannedDept) => string) => depts.filter(dept => dept.dept_type === type).flatMap(dept => {
    const dept_id = dept_ids.get(dept.key)
    return dept_id === undefined ? [] : [{ dept_id, value: valueOf(dept) }]
  })
  const { stage, grade, class: class_type } = dept_type
  await createRemarks(db, school_id, [
    { label: '校区', options: ['东校区', '西校区'], applies_to: [stage, grade, class_type], values: said(stage, dept => (dept.stage === senior_stage ? '西校区' : '东校区')) },
    { label: '班级性质', options: [usual_kind, ...special_kinds], applies_to: [class_type], values: said(class_type, dept => special_kinds[(dept.class_no ?? 0) - 1] ?? usual_kind) },
  ])
}
