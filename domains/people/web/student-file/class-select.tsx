import { deptApi } from '@campus/people/contract'
import type { DeptTreeNode } from '@campus/people/contract'
import { call } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { TreeSelect } from 'antd'
import type { ReactElement, ReactNode } from 'react'

const KEPT_MS = 60_000
const class_type = 4

type Node = { value: string; title: string; selectable: boolean; children: Node[] }

/** Chooses a class in the student tree; other departments only open. The field names its list by `<id>_list`, which the tree does not carry by itself. */
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
      notFoundContent={<NotFound is_pending={tree.isPending} is_failed={tree.isError} />}
      popupRender={menu => named(menu, `${id}_list`)}
      onOpenChange={is_open => is_open && tree.isError && void tree.refetch()}
      treeData={nodes}
      treeDefaultExpandedKeys={nodes.map(node => node.value)}
      value={is_class ? value : undefined}
      onChange={(dept_id?: string) => onChange?.(dept_id)}
    />
  )
}

function named(menu: ReactNode, id: string): ReactElement {
  return <div id={id}>{menu}</div>
}

function NotFound({ is_pending, is_failed }: { is_pending: boolean; is_failed: boolean }): ReactNode {
  if (is_failed) return '班级加载失败，请收起后重新打开'
  return is_pending ? '加载中…' : '没有符合的班级'
}

function nodeOf(node: DeptTreeNode): Node {
  return { value: node.id, title: node.label, selectable: node.dept_type === class_type, children: node.children.map(nodeOf) }
}

function holds(nodes: readonly Node[], dept_id: string): boolean {
  return nodes.some(node => (node.value === dept_id && node.selectable) || holds(node.children, dept_id))
}
