import type { DeptNode, DeptTreeNode } from '@campus/people/contract'
import type { LabelVersion } from './dept.label.ts'
import type { DeptScope } from './scope.ts'

/** A department on the asked day, as it is read. */
export type DeptRow = Omit<LabelVersion, 'is_closed'> & { id: string; parent_id: string | null; node_path: string; capacity?: number | null }
export type MemberCount = { dept_id: string; student_count: number; staff_count: number }

const grade_type = 3

/** What the identity may see of the tree: its departments and the way down to them. Rows come and stay in display order. */
export function visibleRows<T extends DeptRow>(rows: readonly T[], scope: DeptScope): T[] {
  if (scope === 'all') return [...rows]
  const inside = new Set(scope)
  const wanted = new Set(rows.filter(row => inside.has(row.id)).flatMap(row => row.node_path.split('/')))
  return rows.filter(row => wanted.has(row.id))
}

/** Nodes as they are sent, each with its label, counts 0 where nobody is. A row whose parent is not among the rows stands as a root. */
export function deptNodes(rows: readonly DeptRow[], counts: readonly MemberCount[], labelOf: (row: DeptRow) => string): DeptNode[] {
  const by_id = new Map(rows.map(row => [row.id, row]))
  const parents = new Set(rows.map(row => row.parent_id))
  const counted = new Map(counts.map(count => [count.dept_id, count]))
  return rows.map(row => ({
    id: row.id,
    parent_id: row.parent_id,
    dept_name: row.dept_name,
    label: labelOf(row),
    pname: row.parent_id === null ? null : (by_id.get(row.parent_id)?.dept_name ?? null),
    is_grade: row.dept_type === grade_type ? 1 : 0,
    pt_node_path_name: row.pt_node_path_name,
    dept_type: row.dept_type,
    user_or_dept: 1,
    has_child: parents.has(row.id),
    student_count: counted.get(row.id)?.student_count ?? 0,
    staff_count: counted.get(row.id)?.staff_count ?? 0,
    capacity: row.capacity ?? null,
  }))
}

/** Puts children under their parents; order within a parent as in the list. */
export function nest(nodes: readonly DeptNode[]): DeptTreeNode[] {
  const by_id = new Map<string, DeptTreeNode>(nodes.map(node => [node.id, { ...node, children: [] }]))
  const roots: DeptTreeNode[] = []
  for (const node of by_id.values()) {
    const parent = node.parent_id === null ? undefined : by_id.get(node.parent_id)
    if (parent) parent.children.push(node)
    else roots.push(node)
  }
  return roots
}
