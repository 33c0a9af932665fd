import { GRADE } from '@campus/people/contract'
import type { DeptTreeNode } from '@campus/people/contract'

/** Kinds of departments: of the student tree 2–4, of the staff tree the others; the school stands above both. */
export const dept_types = { school: 1, division: 2, grade: 3, class: 4, office: 5, grade_group: 6, subject_group: 7, lesson_group: 8, company: 11, other: 99 } as const

const below: Readonly<Record<number, readonly number[]>> = {
  [dept_types.school]: [dept_types.division, dept_types.grade, dept_types.office, dept_types.grade_group, dept_types.subject_group, dept_types.company, dept_types.other],
  [dept_types.division]: [dept_types.grade],
  [dept_types.grade]: [dept_types.class],
  [dept_types.office]: [dept_types.office, dept_types.other],
  [dept_types.grade_group]: [dept_types.grade_group, dept_types.lesson_group, dept_types.other],
  [dept_types.subject_group]: [dept_types.subject_group, dept_types.lesson_group, dept_types.other],
  [dept_types.lesson_group]: [dept_types.other],
  [dept_types.company]: [dept_types.office, dept_types.company, dept_types.other],
  [dept_types.other]: [dept_types.office, dept_types.grade_group, dept_types.subject_group, dept_types.company, dept_types.other],
}
const words: Readonly<Record<number, string>> = {
  [dept_types.school]: '学校', [dept_types.division]: '学部', [dept_types.grade]: '年级', [dept_types.class]: '班级',
  [dept_types.office]: '行政部门', [dept_types.grade_group]: '年级组', [dept_types.subject_group]: '教研组', [dept_types.lesson_group]: '备课组', [dept_types.company]: '部门', [dept_types.other]: '其他部门',
}

/** Which tree a page edits. */
export type Side = 'student' | 'staff'
const { office, grade_group, subject_group, lesson_group, company, other } = dept_types
/** What a page makes: cohorts, groups of a school's staff, or departments of an enterprise. */
export const made_types = { student: [dept_types.division, dept_types.grade, dept_types.class], staff: [office, grade_group, subject_group, lesson_group, other], company: [company, other] } as const

/** What may be made under a department of this kind (chapter 20 rule 11), of the kinds that the page makes. */
export function childTypes(dept_type: number, makes: readonly number[]): readonly number[] {
  return (below[dept_type] ?? []).filter(type => makes.includes(type))
}

/** Does this kind stand in the staff tree alone? */
export function isStaffType(dept_type: number): boolean {
  return made_types.staff.some(type => type === dept_type) || dept_type === company
}

/** The school itself, or the enterprise: no other department stands under nothing. */
export function isRoot({ parent_id }: { parent_id: string | null }): boolean {
  return parent_id === null
}

/** May a department of this kind stand under one of that kind? */
export function standsUnder(dept_type: number, parent_type: number): boolean {
  return below[parent_type]?.includes(dept_type) === true
}

/** 学部, 年级, 班级. */
export function typeWord(dept_type: number): string {
  return words[dept_type] ?? '部门'
}

/** A department of the tree by its id. */
export function nodeOf(tree: readonly DeptTreeNode[], id: string): DeptTreeNode | undefined {
  for (const node of tree) {
    const found = node.id === id ? node : nodeOf(node.children, id)
    if (found) return found
  }
  return undefined
}

/** Every department, parents before children. */
export function everyNode(tree: readonly DeptTreeNode[]): DeptTreeNode[] {
  return tree.flatMap(node => [node, ...everyNode(node.children)])
}

/** Codes of the grades of a stage in their order; the first sign of a grade is its stage. */
export function gradesOf(stage: string): string[] {
  return GRADE.codes.filter(code => code.startsWith(stage))
}

/** Name of a grade as class names begin with it. */
export function gradeName(grade: string): string {
  return Object.entries(GRADE.names).find(([code]) => code === grade)?.[1] ?? ''
}

/** The word that names of a grade's classes begin with: that of its code, else its own name. The server names them alike. */
export function classWord(grade: { grade: string | null; dept_name: string }): string {
  return gradeName(grade.grade ?? '') || grade.dept_name
}

/** First calendar year of the school year (from 1 September) that holds the day. */
export function schoolYearOf(day: string): number {
  const year = Number(day.slice(0, 4))
  return day.slice(5) >= '09-01' ? year : year - 1
}

/** Year of entry of those who sit in the grade in a school year: 二年级 of 2026 came in 2025. */
export function enrolYearOf(grade: string, school_year: number): number {
  return school_year - (Number(grade.slice(1)) - 1)
}
