import type { BoardClass, BoardGrade, DeptTreeNode } from '@campus/people/contract'
import { dept_types } from './dept-place.ts'

/** Grades that stand together: those of a division, or those directly under the school. */
export type Division = { id: string; dept_name: string; dept_type: number; grades: BoardGrade[] }
export type Totals = { divisions: number; grades: number; classes: number; students: number; headless: number }

/**
 * The board in the order of the tree. Divisions come from the tree, so that one without grades is shown too; the school itself
 * is one only when grades stand directly under it.
 */
export function boardOf(tree: readonly DeptTreeNode[], grades: readonly BoardGrade[]): Division[] {
  const known = new Map(grades.map(grade => [grade.id, grade]))
  return tree.flatMap(node => {
    const own = node.children.flatMap(child => known.get(child.id) ?? [])
    const is_shown = node.dept_type === dept_types.division || own.length > 0
    const here = is_shown ? [{ id: node.id, dept_name: node.dept_name, dept_type: node.dept_type, grades: own }] : []
    return [...here, ...boardOf(node.children, grades)]
  })
}

/** What the head of the page counts. */
export function totalsOf(board: readonly Division[]): Totals {
  const grades = board.flatMap(division => division.grades)
  const classes = grades.flatMap(grade => grade.classes)
  return {
    divisions: board.filter(division => division.dept_type === dept_types.division).length,
    grades: grades.length,
    classes: classes.length,
    students: pupilsOf(classes),
    headless: classes.filter(one => one.head === null).length,
  }
}

/** The board with the classes alone that nobody leads. */
export function onlyHeadless(board: readonly Division[]): Division[] {
  return board
    .map(division => ({ ...division, grades: division.grades.map(grade => ({ ...grade, classes: grade.classes.filter(one => one.head === null) })).filter(grade => grade.classes.length > 0) }))
    .filter(division => division.grades.length > 0)
}

/** Pupils in these classes. */
export function pupilsOf(classes: readonly BoardClass[]): number {
  return classes.reduce((sum, one) => sum + one.student_count, 0)
}
