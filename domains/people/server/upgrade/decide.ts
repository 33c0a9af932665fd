import type { UpgradeAction, UpgradeException } from '@campus/people/contract'
import { class_type, grade_type } from '../dept.rules.ts'
import { nextGrade, nextStageGrade } from './grade.ts'
import type { SnapDept, Snapshot } from './snapshot.ts'

/** What was chosen for a grade or class. `is_pool`: all pupils of the grade wait in one class of the next stage. */
export type Choice = { dept_id: string; action: UpgradeAction | null; new_name: string | null; is_pool: boolean }
export type PersonChoice = { user_id: string; action: UpgradeException; target_dept_id: string | null; reason: string }
/** A plan as far as it was decided. */
export type Decided = { school_year: string; items: readonly Choice[]; people: readonly PersonChoice[] }

/** The grades and classes a plan decides about. */
export function cohortsOf({ depts }: Snapshot): SnapDept[] {
  return depts.filter(dept => dept.dept_type === grade_type || dept.dept_type === class_type)
}

/** The year in which the school year ends: 2027 of 2026-2027. */
export function endYear(school_year: string): number {
  return Number(school_year.slice(5))
}

/** Where everything goes by itself: the next grade, the next stage where the school has one, else out. New cohorts stay. */
export function ownChoices(snapshot: Snapshot, school_year: string): Choice[] {
  const stages = new Set(snapshot.depts.flatMap(dept => (dept.dept_type === class_type ? [] : (dept.stage ?? []))))
  const grades = new Map(snapshot.depts.filter(dept => dept.dept_type === grade_type).map(dept => [dept.dept_id, ownAction(dept, stages, school_year)]))
  return cohortsOf(snapshot).map(dept => {
    const action = grades.get(dept.dept_type === grade_type ? dept.dept_id : (dept.parent_id ?? '')) ?? null
    return { dept_id: dept.dept_id, action, new_name: null, is_pool: false }
  })
}

function ownAction({ grade, enrol_year }: SnapDept, stages: ReadonlySet<string>, school_year: string): UpgradeAction | null {
  if (enrol_year !== null && enrol_year >= endYear(school_year)) return 'HOLD'
  if (nextGrade(grade) !== null) return 'UPGRADE'
  if (grade === null) return null
  const next = nextStageGrade(grade)
  return next !== null && stages.has(next.slice(0, 1)) ? 'CONTINUE' : 'GRADUATE'
}
