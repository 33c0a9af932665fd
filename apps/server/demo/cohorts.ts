import { dept_type } from './departments.ts'
import type { PlannedDept } from './departments.ts'

/** A department's name of this year, which another one bore last year. */
type Renewal = { key: string; dept_name: string; grade: string | null; show_order: number }

/**
 * How the departments came to be what they are, one promotion ago: those of last year under the names they had then, those that
 * graduated and left or went on into another stage, the new names, and the cohorts that opened. Keys are this year's; a cohort that
 * is gone has one of its own (`left:`).
 */
export type Promotion = { before: PlannedDept[]; graduated: PlannedDept[]; continued: PlannedDept[]; renewed: Renewal[]; opened: PlannedDept[] }

/** The highest stage: who ends it leaves the school. */
const last_stage = '3'

/** The promotion that led to this year's departments: every grade was one lower, and the highest of each stage is gone. */
export function promotionTo(depts: readonly PlannedDept[]): Promotion {
  const grades = depts.filter(dept => dept.dept_type === dept_type.grade)
  const ladders = [...Map.groupBy(grades, grade => grade.parent).values()]
  const rungs = ladders.flatMap(ladder => ladder.map((grade, at) => ({ grade, at, below: ladder[at - 1], is_top: at === ladder.length - 1 })))
  const classesOf = (grade: PlannedDept) => depts.filter(dept => dept.parent === grade.key)
  const family = (grade: PlannedDept, at: number) => [{ ...grade, show_order: at + 1 }, ...classesOf(grade)]
  const gone = rungs.filter(rung => rung.is_top).flatMap(({ grade, at }) => family(grade, at).map(leave))
  const older = rungs.flatMap(({ grade, at, below }) => (below ? family(grade, at - 1).map((dept, place) => named(dept, family(below, at - 1)[place])) : []))
  return {
    before: [...depts.filter(dept => dept.dept_type !== dept_type.grade && dept.dept_type !== dept_type.class), ...older, ...gone],
    graduated: gone.filter(dept => dept.stage === last_stage),
    continued: gone.filter(dept => dept.stage !== last_stage),
    renewed: rungs.flatMap(({ grade, at, below }) => (below ? family(grade, at).map(renewal) : [])),
    opened: rungs.flatMap(({ grade, at }) => (at === 0 ? family(grade, at) : [])),
  }
}

/** The cohort that had this name last year and is gone. */
function leave(dept: PlannedDept): PlannedDept {
  const parent = dept.dept_type === dept_type.class ? `left:${dept.parent}` : dept.parent
  return { ...dept, key: `left:${dept.key}`, parent, enrol_year: (dept.enrol_year ?? 0) - 1 }
}

function named(dept: PlannedDept, last_year: PlannedDept | undefined): PlannedDept {
  if (!last_year) throw new Error(`${dept.dept_name} had no name last year`)
  return { ...dept, dept_name: last_year.dept_name, grade: last_year.grade }
}

function renewal({ key, dept_name, grade = null, show_order, class_no }: PlannedDept): Renewal {
  return { key, dept_name, grade, show_order: show_order ?? class_no ?? 1 }
}
