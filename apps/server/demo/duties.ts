import type { NewStaff } from '@campus/people/server'
import type { Promotion } from './cohorts.ts'
import { dept_type } from './departments.ts'
import type { PlannedDept } from './departments.ts'
import { toolsOf } from './seed.ts'
import type { PlannedStaff, Stage } from './staff.ts'

/** Who leads what: department key → staff key. */
export type Duties = {
  class_teachers: Map<string, string>
  /** by grade */
  grade_heads: Map<string, string>
  /** by 教研组 */
  subject_heads: Map<string, string>
  /** by office: 部门负责人 */
  dept_leaders: Map<string, string>
  /** by group of a subject in one stage, or of a grade */
  group_leaders: Map<string, string>
}

/** A duty of the plan; it holds since the person came unless it names days of its own. */
export type PlannedDuty = Omit<NonNullable<NewStaff['duties']>[number], 'dept_id'> & { staff_key: string; dept_key: string }

/** Class teachers mostly teach these. */
const main_subjects: readonly string[] = ['语文', '数学', '英语']

/** Gives every class a class teacher, every grade a head, every group of subject teachers a head, every office a leader; nobody two of the first three. */
export function planDuties(depts: readonly PlannedDept[], staff: readonly PlannedStaff[], subject: string): Duties {
  const pool = pools(staff, subject)
  const ofType = (type: number) => depts.filter(dept => dept.dept_type === type)
  const class_teachers = new Map(ofType(dept_type.class).map(dept => [dept.key, take(pool, dept.stage)]))
  const grade_heads = new Map(ofType(dept_type.grade).map(dept => [dept.key, take(pool, dept.stage)]))
  const busy = new Set([...class_teachers.values(), ...grade_heads.values()])
  const teaching_groups = ofType(dept_type.subject_group).filter(group => teachersOf(group, depts, staff).length > 0)
  const subject_heads = new Map(teaching_groups.map(group => [group.key, headOf(teachersOf(group, depts, staff), busy)]))
  const offices = [...ofType(dept_type.office), ...ofType(dept_type.enterprise)].filter(dept => dept.staff > 0)
  const dept_leaders = new Map(offices.map(dept => [dept.key, staff.find(person => person.dept_key === dept.key)?.key ?? '']))
  const group_leaders = new Map(groupLeaders(depts, staff, grade_heads, busy))
  return { class_teachers, grade_heads, subject_heads, dept_leaders, group_leaders }
}

/** The grade-year staff department that belongs to a grade (一年级 → 一年级组), where there is one. */
export function gradeGroupOf(grade_key: string | null, depts: readonly PlannedDept[]): string | undefined {
  const name = depts.find(dept => dept.key === grade_key)?.dept_name
  return depts.find(dept => dept.dept_type === dept_type.grade_group && (dept.dept_name === `${name}组` || dept.dept_name === `${name}年级组`))?.key
}

/** Groups of one subject of a stage are led by one of theirs, unless there is but one; groups of a grade by its head. */
function groupLeaders(depts: readonly PlannedDept[], staff: readonly PlannedStaff[], grade_heads: ReadonlyMap<string, string>, busy: ReadonlySet<string>): (readonly [string, string])[] {
  const lessons = depts.filter(dept => dept.dept_type === dept_type.lesson_group).flatMap(group => {
    const teachers = teachersOf(group, depts, staff)
    return teachers.length > 1 ? [[group.key, headOf(teachers, busy)] as const] : []
  })
  const grades = [...grade_heads].flatMap(([grade_key, staff_key]) => {
    const group = gradeGroupOf(grade_key, depts)
    return group === undefined ? [] : [[group, staff_key] as const]
  })
  return [...lessons, ...grades]
}

/** The duties as the archive keeps them. */
export function dutyRows(duties: Duties): PlannedDuty[] {
  const rows = (map: Map<string, string>, duty: PlannedDuty['duty']) => [...map].map(([dept_key, staff_key]) => ({ staff_key, dept_key, duty }))
  return [...rows(duties.class_teachers, 'head'), ...rows(duties.grade_heads, 'grade_head'), ...rows(duties.subject_heads, 'dept_leader'), ...rows(duties.dept_leaders, 'dept_leader'), ...rows(duties.group_leaders, 'dept_leader')]
}

/** Days of the last promotion: when the highest grade left, when everybody else got a new grade. */
export type PromotionDays = { left_on: string; on: string }

/**
 * The same duties with their past: new classes and this year's heads of grade began with the promotion; who has a first class now led
 * the class of that number which is gone.
 */
export function withPast(rows: readonly PlannedDuty[], { opened, graduated, continued }: Promotion, { left_on, on }: PromotionDays, since: (staff_key: string) => string): PlannedDuty[] {
  const fresh = new Map(opened.map(dept => [dept.key, dept]))
  const led = rows.flatMap(row => {
    const now = row.duty === 'head' ? fresh.get(row.dept_key) : undefined
    const isBefore = (dept: PlannedDept) => dept.dept_type === dept_type.class && dept.stage === now?.stage && dept.class_no === now?.class_no
    const [gone, to] = [graduated.find(isBefore) ?? continued.find(isBefore), graduated.some(isBefore) ? left_on : on]
    return gone && since(row.staff_key) < on ? [{ ...row, dept_key: gone.key, to }] : []
  })
  return [...led, ...rows.map(row => (fresh.has(row.dept_key) || row.duty === 'grade_head' ? { ...row, from: on } : row))]
}

function pools(staff: readonly PlannedStaff[], subject: string): Map<Stage, PlannedStaff[]> {
  const mixed = toolsOf(`duties:${subject}`).draw.shuffled(staff)
  const teachers = (stage: Stage) => {
    const all = mixed.filter(person => person.teaches?.stage === stage)
    const first = all.filter(person => main_subjects.includes(person.teaches?.subject_name ?? ''))
    return [...first, ...all.filter(person => !first.includes(person))]
  }
  return new Map((['1', '2', '3'] as const).map(stage => [stage, teachers(stage)]))
}

function take(pool: Map<Stage, PlannedStaff[]>, stage: string | null | undefined): string {
  const [, waiting] = [...pool].find(([key]) => key === stage) ?? []
  const person = waiting?.shift()
  if (!person) throw new Error(`no teacher left for stage ${stage}`)
  return person.key
}

function teachersOf(group: PlannedDept, depts: readonly PlannedDept[], staff: readonly PlannedStaff[]): PlannedStaff[] {
  const keys = new Set([group.key, ...depts.filter(dept => dept.parent === group.key && dept.dept_type === dept_type.lesson_group).map(dept => dept.key)])
  return staff.filter(person => keys.has(person.dept_key))
}

/** The first who leads nothing yet; in a small group somebody does both. */
function headOf(teachers: readonly PlannedStaff[], busy: ReadonlySet<string>): string {
  return (teachers.find(person => !busy.has(person.key)) ?? teachers[0])?.key ?? ''
}
