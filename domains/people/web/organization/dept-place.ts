import { GRADE } from '@campus/people/contract'
import type { DeptTreeNode } from '@campus/people/contract'

/** Kinds of departments of the student tree. */
export const dept_types = { school: 1, division: 2, grade: 3, class: 4 } as const

const below: Readonly<Record<number, readonly number[]>> = {
  [dept_types.school]: [dept_types.division, dept_types.grade],
  [dept_types.division]: [dept_types.grade],
  [dept_types.grade]: [dept_types.class],
}
const words: Readonly<Record<number, string>> = { [dept_types.school]: '学校', [dept_types.division]: '学部', [dept_types.grade]: '年级', [dept_types.class]: '班级' }

/** What may be made under a department of this kind (chapter 20 rule 11). */
export function childTypes(dept_type: number): readonly number[] {
  return below[dept_type] ?? []
}

/** May a department of this kind stand under one of that kind? */
export function standsUnder(dept_type: number, parent_type: number): boolean {
  return childTypes(parent_type).includes(dept_type)
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
