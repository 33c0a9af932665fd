import { GRADE, peopleErrors } from '@campus/people/contract'
import type { DeptDraft } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { DeptFacts } from './dept.edit.queries.ts'
import { class_type, className, cohortOf, grade_type, gradeWord, numberIn, refusePlace, treeOf } from './dept.rules.ts'
import { holds, lasts } from './dept.timeline.ts'
import type { Version } from './dept.timeline.ts'

/** A department that others stand or shall stand under. */
export type Parent = DeptFacts & { versions: readonly Version[] }

/** What the row of a new department says; its place comes with its versions. */
export type PlannedDept = Pick<DeptFacts, 'dept_type' | 'stage' | 'enrol_year' | 'class_no' | 'class_type' | 'capacity' | 'code' | 'name_auto'> & {
  tree: 'student' | 'staff'
  dept_name: string
  grade: string | null
}

/**
 * What a draft comes to below its parent: a class takes what it does not say from its grade, a grade what its code tells.
 * @param field what the fields of a refusal begin with, e.g. `rows.3.`
 * @throws Refusal 422 for a place, a day or a cohort that cannot be
 */
export function planDept(draft: DeptDraft, parent: Parent, on: string, field = ''): PlannedDept {
  const { dept_type, dept_name } = draft
  refusePlace(dept_type, parent.dept_type)
  const tree = treeOf(dept_type)
  if (draft.tree !== undefined && draft.tree !== tree) throw fail(peopleErrors.deptPlace, { errors: [{ field: `${field}tree`, msg: peopleErrors.deptPlace.msg }] })
  const above = standing(parent, on)
  const { stage, grade, enrol_year } = cohort(draft, parent, above, on)
  if (dept_type === grade_type && enrol_year === null) throw fail(commonErrors.invalid, { errors: [{ field: `${field}enrol_year`, msg: '请填写入学年份' }] })
  const { class_type: kind = null, capacity = null, code } = draft
  const common = { dept_type, dept_name, tree, stage, grade, enrol_year, class_type: kind, capacity, code: code || null }
  if (dept_type !== class_type) return { ...common, class_no: null, name_auto: dept_type === grade_type && dept_name === gradeWord(grade, '') }
  const word = gradeWord(grade, above.dept_name)
  const class_no = draft.class_no ?? numberIn(dept_name, word)
  return { ...common, class_no, name_auto: class_no !== null && dept_name === className(word, class_no) }
}

/**
 * The parent as it is on the day something begins to stand under it.
 * @throws Refusal 409 when it is closed or will be, 422 when it does not exist yet
 */
export function standing({ closed_on, versions }: Parent, on: string): Version {
  if (closed_on !== null) throw fail(peopleErrors.deptClosed)
  const above = versions.find(version => holds(version, on))
  if (!above) throw fail(peopleErrors.deptNotOpen, { params: { day: on } })
  return above
}

/** The parent's versions that last beyond the day. */
export function placesFrom({ versions }: Parent, on: string): Version[] {
  return versions.filter(version => lasts(version, on))
}

function cohort(draft: DeptDraft, parent: Parent, above: Version, on: string): Pick<PlannedDept, 'stage' | 'grade' | 'enrol_year'> {
  const said = { stage: draft.stage ?? null, grade: draft.grade ?? null, enrol_year: draft.enrol_year ?? null }
  if (said.grade !== null && !Object.hasOwn(GRADE.names, said.grade)) throw fail(commonErrors.invalid, { errors: [{ field: 'grade', msg: '字典值不存在' }] })
  if (draft.dept_type === class_type) {
    return { stage: said.stage ?? parent.stage, grade: said.grade ?? above.grade, enrol_year: said.enrol_year ?? parent.enrol_year }
  }
  if (draft.dept_type !== grade_type) return { ...said, grade: null, enrol_year: null }
  const told = cohortOf(said.grade, on)
  return { stage: said.stage ?? told.stage ?? parent.stage, grade: said.grade, enrol_year: said.enrol_year ?? told.enrol_year }
}
