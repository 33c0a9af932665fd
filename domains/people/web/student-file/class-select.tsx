import { deptApi } from '@campus/people/contract'
import type { DeptTreeNode } from '@campus/people/contract'
import { call } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { TreeSelect } from 'antd'
import type { ReactNode } from 'react'

const KEPT_MS = 60_000
const class_type = 4

type Node = { value: string; title: string; selectable: boolean; children: Node[] }

/** Chooses a class in the student tree; other departments only open. */
export function ClassSelect({ id, value, onChange }: { id?: string; value?: string; onChange?: (dept_id?: string) => void }): ReactNode {
  const tree = useQuery({
    queryKey: ['dept-tree', 'student', ''],
    queryFn: async () => (await call(deptApi.tree, { tree: 'student', with_count: '1' }, { quiet: true })).list,
    staleTime: KEPT_MS,
  })
  const nodes = (tree.data ?? []).map(nodeOf)
  const is_class = tree.data === undefined || value === undefined || holds(nodes, value)
  return (
    <TreeSelect
      id={id}
      className="kit-fill"
      placeholder="请选择班级"
      showSearch={{ treeNodeFilterProp: 'title' }}
      loading={tree.isFetching}
      treeData={nodes}
      treeDefaultExpandedKeys={nodes.map(node => node.value)}
      value={is_class ? value : undefined}
      onChange={(dept_id?: string) => onChange?.(dept_id)}
    />
  )
}

function nodeOf(node: DeptTreeNode): Node {
  return { value: node.id, title: node.dept_name, selectable: node.dept_type === class_type, children: node.children.map(nodeOf) }
}

function holds(nodes: readonly Node[], dept_id: string): boolean {
  return nodes.some(node => (node.value === dept_id && node.selectable) || holds(node.children, dept_id))
}
