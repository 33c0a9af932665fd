import type { NewDept } from '@campus/people/server'
import source from './data/school.json' with { type: 'json' }

/** A department of the plan: `key` is stable, ids come from the database; `staff` = people whose first department it is. */
export type PlannedDept = NewDept & { staff: number }

export const main_school = source.school
export const main_config = source.config
export const enterprise_name = source.enterprise.school_name

export const dept_type = { school: 1, stage: 2, grade: 3, class: 4, office: 5, grade_group: 6, subject_group: 7, lesson_group: 8, enterprise: 11 } as const

/** The 193 departments and classes of the main school, cohorts shifted to the school year, parents before children. */
export function mainDepartments(school_year: number): PlannedDept[] {
  return source.departments.map(row => ({
    key: keyOf(row.id),
    parent: row.parent_id === 0 ? null : keyOf(row.parent_id),
    dept_name: row.dept_name,
    dept_type: row.dept_type,
    tree: treeOf(row.tree),
    stage: row.stage ?? null,
    grade: row.grade ?? null,
    enrol_year: row.enrol_year === undefined ? null : row.enrol_year + school_year - source.base_year,
    class_no: row.class_no ?? null,
    staff: row.staff ?? 0,
  }))
}

/** The enterprise: one root and its departments. */
export function enterpriseDepartments(): PlannedDept[] {
  const root: PlannedDept = { key: 'root', parent: null, dept_name: enterprise_name, dept_type: dept_type.school, tree: 'both', staff: 0 }
  const rows = source.enterprise.departments.map(dept_name => ({ key: dept_name, parent: 'root', dept_name, dept_type: dept_type.enterprise, tree: 'staff' as const, staff: 1 }))
  return [root, ...rows]
}

const small_grades = [
  { grade: '11', name: '一年级', age: 0 },
  { grade: '12', name: '二年级', age: 1 },
  { grade: '13', name: '三年级', age: 2 },
] as const
const small_classes = [1, 2] as const

/** The second school: one office, one group of teachers and three grades of two classes. */
export function secondDepartments(school_name: string, school_year: number): PlannedDept[] {
  const below = (parent: string | null, key: string, dept_name: string, type: number) => ({ key, parent, dept_name, dept_type: type })
  const grades = small_grades.flatMap(({ grade, name, age }): PlannedDept[] => {
    const cohort = { tree: 'student' as const, stage: '1', grade, enrol_year: school_year - age, staff: 0 }
    const classes = small_classes.map(class_no => ({ ...below(name, `${name}${class_no}班`, `${name}${class_no}班`, dept_type.class), ...cohort, class_no }))
    return [{ ...below('root', name, name, dept_type.grade), ...cohort }, ...classes]
  })
  return [
    { ...below(null, 'root', school_name, dept_type.school), tree: 'both', staff: 0 },
    { ...below('root', '教务处', '教务处', dept_type.office), tree: 'staff', staff: 2 },
    { ...below('root', '教研组', '综合教研组', dept_type.subject_group), tree: 'staff', staff: 10 },
    ...grades,
  ]
}

/** The suspended school: one office. */
export function suspendedDepartments(school_name: string): PlannedDept[] {
  return [
    { key: 'root', parent: null, dept_name: school_name, dept_type: dept_type.school, tree: 'both', staff: 0 },
    { key: '教务处', parent: 'root', dept_name: '教务处', dept_type: dept_type.office, tree: 'staff', staff: 2 },
  ]
}

/** Never the form of a database id, which stands where a key may stand. */
function keyOf(id: number): string {
  return `d${id}`
}

function treeOf(tree: string): NewDept['tree'] {
  if (tree === 'student' || tree === 'staff' || tree === 'both') return tree
  throw new Error(`unknown tree ${tree}`)
}
