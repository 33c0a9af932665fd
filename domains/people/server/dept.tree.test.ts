import { expect, test } from 'vitest'
import { deptNodes, nest, visibleRows } from './dept.tree.ts'
import type { DeptRow } from './dept.tree.ts'

const dept = (id: string, parent_id: string | null, node_path: string, dept_type: number): DeptRow => {
  return { id, parent_id, dept_name: `部门${id}`, dept_type, grade: null, enrol_year: null, node_path, pt_node_path_name: node_path }
}
const labelOf = (row: DeptRow) => `${row.dept_name}班`
const rows = [dept('1', null, '/1/', 1), dept('2', '1', '/1/2/', 3), dept('3', '2', '/1/2/3/', 4), dept('4', '2', '/1/2/4/', 4), dept('5', '1', '/1/5/', 3)]

test('an identity with everything sees every department', () => {
  expect(visibleRows(rows, 'all')).toEqual(rows)
})

test('a class teacher sees the class and the way down to it', () => {
  expect(visibleRows(rows, ['3']).map(row => row.id)).toEqual(['1', '2', '3'])
})

test('an empty scope sees nothing', () => {
  expect(visibleRows(rows, [])).toEqual([])
})

test('nodes know their parent, their children and their people', () => {
  const nodes = deptNodes(rows, [{ dept_id: '2', student_count: 41, staff_count: 3 }], labelOf)
  expect(nodes.map(node => [node.id, node.label, node.pname, node.is_grade, node.has_child, node.student_count, node.staff_count])).toEqual([
    ['1', '部门1班', null, 0, true, 0, 0],
    ['2', '部门2班', '部门1', 1, true, 41, 3],
    ['3', '部门3班', '部门2', 0, false, 0, 0],
    ['4', '部门4班', '部门2', 0, false, 0, 0],
    ['5', '部门5班', '部门1', 1, false, 0, 0],
  ])
})

test('children stand under their parents, in order', () => {
  const [root] = nest(deptNodes(rows, [], labelOf))
  expect(root?.children.map(node => node.id)).toEqual(['2', '5'])
  expect(root?.children[0]?.children.map(node => node.id)).toEqual(['3', '4'])
})
