import type { BoardClass, BoardGrade, DeptTreeNode } from '@campus/people/contract'

/** A department of a tree; its children stand under it. */
export function node(id: string, dept_type: number, dept_name: string, children: DeptTreeNode[] = []): DeptTreeNode {
  return {
    id,
    parent_id: null,
    dept_name, label: dept_name,
    pname: null,
    is_grade: dept_type === 3 ? 1 : 0,
    pt_node_path_name: dept_name,
    dept_type,
    user_or_dept: 1,
    has_child: children.length > 0,
    student_count: 0,
    staff_count: 0, capacity: null,
    children: children.map(child => ({ ...child, parent_id: id })),
  }
}

/** A grade of the board with numbered classes; the first of them is led by somebody. */
export function grade(id: string, dept_name: string, code: string, classes: number): BoardGrade {
  return {
    id,
    row_version: 1,
    dept_name,
    stage: code.slice(0, 1),
    pname: null,
    grade: code,
    enrol_year: 2026,
    head: null,
    classes: Array.from({ length: classes }, (_, at): BoardClass => ({
      id: `${id}-${at + 1}`,
      row_version: 1,
      dept_name: `${dept_name}${at + 1}班`,
      label: `${dept_name}${at + 1}班`,
      class_no: at + 1,
      capacity: 45,
      head: at === 0 ? { user_id: '1', user_name: '陈晓华' } : null,
      student_count: 40,
      boys: 20,
      girls: 20,
      boarders: 0,
      kept: 0,
      closed_on: null,
    })),
  }
}

/** 学校: 小学部 with 一年级 (two classes) and 二年级 (one), 初中部 without grades. */
export function smallTree(): DeptTreeNode[] {
  return [
    node('1', 1, '学校', [
      node('2', 2, '小学部', [node('3', 3, '一年级', [node('4', 4, '一年级1班'), node('5', 4, '一年级2班')]), node('6', 3, '二年级', [node('7', 4, '二年级1班')])]),
      node('8', 2, '初中部'),
    ]),
  ]
}
