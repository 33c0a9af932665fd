import type { NewDept } from '@campus/people/server'
import source from './data/school.json' with { type: 'json' }

/**
 * A department of the plan: `key` is stable, ids come from the database; `staff` = people whose first department it is, `pupils` = who
 * is in the class.
 */
export type PlannedDept = NewDept & { staff: number; pupils?: { all: number; boys: number; boarders: number } }

export const main_school = source.school
export const main_config = source.config
export const enterprise_name = source.enterprise.school_name

export const dept_type = { school: 1, stage: 2, grade: 3, class: 4, office: 5, grade_group: 6, subject_group: 7, lesson_group: 8, enterprise: 11 } as const
const primary_stage = '1'

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
    capacity: row.dept_type === dept_type.class ? capacityOf(row.stage) : null,
    staff: row.staff ?? 0,
    ...(row.pupils === undefined ? {} : { pupils: { all: row.pupils, boys: row.boys, boarders: row.boarders } }),
  }))
}

/** Most pupils of a class (chapter 20 rule 30). */
function capacityOf(stage: string | undefined): number {
  return stage === primary_stage ? 45 : 50
}

/** The same tree for a school of another name that has just opened: nobody is in its classes, and nobody has said how many may be. */
export function newSchoolDepartments(school_name: string, school_year: number): PlannedDept[] {
  return mainDepartments(school_year).map(({ pupils: _pupils, capacity: _capacity, ...dept }) => (dept.parent === null ? { ...dept, dept_name: school_name } : dept))
}

/** The enterprise: one root and its departments. */
export function enterpriseDepartments(): PlannedDept[] {
  const root: PlannedDept = { key: 'root', parent: null, dept_name: enterprise_name, dept_type: dept_type.school, tree: 'both', staff: 0 }
  const rows = source.enterprise.departments.map(({ name, employees }) => {
    return { key: name, parent: 'root', dept_name: name, dept_type: dept_type.enterprise, tree: 'staff' as const, staff: employees }
  })
  return [root, ...rows]
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
