import { GRADE, peopleErrors } from '@campus/people/contract'
import { fail } from '@kit/contract'
import { addDays, schoolYearStart } from './day.ts'
import { idsOf } from './dept.timeline.ts'
import type { Version } from './dept.timeline.ts'
import type { Duty } from './duty.declare.ts'

const stage_type = 2
export const grade_type = 3
export const class_type = 4
const most_depts = 3000
const most_levels = 8
const days_back = 30
const days_ahead = 180

/** Under which types a department of a type may stand (chapter 20 rule 11); types without an entry are made by nobody here. */
const parents_of: Readonly<Record<number, readonly number[]>> = {
  2: [1],
  3: [1, 2],
  4: [3],
  5: [1, 5, 11, 99],
  6: [1, 5, 6, 99],
  7: [1, 5, 7, 99],
  8: [6, 7],
  11: [1, 11, 99],
  99: [1, 5, 6, 7, 8, 11, 99],
}

/**
 * @throws Refusal 422 班级必须建在年级下 for a class elsewhere, another sentence for any other type
 */
export function refusePlace(dept_type: number, parent_type: number): void {
  if (mayStand(dept_type, parent_type)) return
  throw fail(dept_type === class_type ? peopleErrors.deptParentType : peopleErrors.deptPlace, { errors: [{ field: 'parent_id', msg: '请选择其他上级部门' }] })
}

/** May a department of this type stand under one of that type? */
export function mayStand(dept_type: number, parent_type: number): boolean {
  return parents_of[dept_type]?.includes(parent_type) === true
}

/** The tree a type belongs to. */
export function treeOf(dept_type: number): 'student' | 'staff' {
  return [stage_type, grade_type, class_type].includes(dept_type) ? 'student' : 'staff'
}

/**
 * A change holds from a day at most 30 days back and 180 days ahead (chapter 20 rule 3).
 * @throws Refusal 422
 */
export function refuseFarDay(on: string, today: string): void {
  if (on < addDays(today, -days_back)) throw fail(peopleErrors.backdateTooFar)
  if (on > addDays(today, days_ahead)) throw fail(peopleErrors.futureTooFar)
}

/** @throws Refusal 422 when a department would stand deeper than eight levels */
export function refuseDepth(versions: readonly Version[]): void {
  if (versions.some(version => idsOf(version).length > most_levels)) throw fail(peopleErrors.deptTooMany)
}

/** @throws Refusal 422 when the school would have more than 3,000 departments */
export function refuseCount(count: number): void {
  if (count > most_depts) throw fail(peopleErrors.deptTooMany)
}

/** The duty of whoever leads a department of this type. */
export function leadingDuty(dept_type: number): Duty {
  if (dept_type === class_type) return 'head'
  return dept_type === grade_type ? 'grade_head' : 'dept_leader'
}

/** What a grade is called: 一年级, 高一; of a grade without a code its own name. */
export function gradeWord(grade: string | null, own_name: string): string {
  return Object.entries(GRADE.names).find(([code]) => code === grade)?.[1] ?? own_name
}

/** The generated name of a class: 一年级1班. */
export function className(word: string, class_no: number): string {
  return `${word}${class_no}班`
}

/** The number in a class's name where that is the generated one, else null. */
export function numberIn(dept_name: string, word: string): number | null {
  const found = dept_name.startsWith(word) ? /^([1-9][0-9]?)班$/.exec(dept_name.slice(word.length)) : null
  return found?.[1] === undefined ? null : Number(found[1])
}

type Cohort = { stage: string | null; grade: string | null; enrol_year: number | null }

/** What a grade's code tells of a cohort on a day: its first sign the stage, its second how many years ago the stage began. */
export function cohortOf(grade: string | null, on: string): Cohort {
  if (grade === null) return { stage: null, grade, enrol_year: null }
  const [stage = '', year = ''] = grade
  return { stage, grade, enrol_year: Number(schoolYearStart(on).slice(0, 4)) - Number(year) + 1 }
}
