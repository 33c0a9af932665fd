import { deptApi } from '@campus/people/contract'
import type { DeptTreeNode } from '@campus/people/contract'
import { call } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { TreeSelect } from 'antd'
import type { ReactElement, ReactNode } from 'react'

const KEPT_MS = 60_000
type Node = { value: string; title: string; children: Node[] }

/** Chooses any department of a tree. */
export function DeptSelect({ id, which, value, onChange }: { id?: string; which: 'student' | 'staff'; value?: string; onChange?: (dept_id?: string) => void }): ReactNode {
  const tree = useQuery({
    queryKey: ['dept-tree', which, ''],
    queryFn: async () => (await call(deptApi.tree, { tree: which, with_count: '1' }, { quiet: true })).list,
    staleTime: KEPT_MS,
  })
  return (
    <TreeSelect
      id={id}
      className="kit-fill"
      placeholder="请选择部门"
      showSearch={{ treeNodeFilterProp: 'title' }}
      loading={tree.isFetching}
      notFoundContent={tree.isError ? '部门加载失败，请收起后重新打开' : tree.isPending ? '加载中…' : '没有符合的部门'}
      popupRender={menu => named(menu, `${id}_list`)}
      onOpenChange={is_open => is_open && tree.isError && void tree.refetch()}
      treeData={(tree.data ?? []).map(nodeOf)}
      treeDefaultExpandedKeys={(tree.data ?? []).map(node => node.id)}
      value={value}
      onChange={(dept_id?: string) => onChange?.(dept_id)}
    />
  )
}

/** The field names its list, which the tree does not carry by itself. */
function named(menu: ReactNode, id: string): ReactElement {
  return <div id={id}>{menu}</div>
}

function nodeOf(node: DeptTreeNode): Node {
  return { value: node.id, title: node.label, children: node.children.map(nodeOf) }
}
