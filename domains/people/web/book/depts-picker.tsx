import { deptApi } from '@campus/people/contract'
import type { DeptTreeNode } from '@campus/people/contract'
import { call } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { TreeSelect } from 'antd'
import type { ReactElement, ReactNode } from 'react'

const kept_ms = 60_000
type Dept = { id: string; name: string }
type Node = { value: string; title: string; children: Node[] }
type Props = { id?: string; label: string; tree: 'student' | 'staff'; placeholder: string; value: string[]; onChange: (depts: Dept[]) => void }

/** Chooses several departments of one tree, each with everything below it. */
export function DeptsPicker({ id = 'book-depts', label, tree, placeholder, value, onChange }: Props): ReactNode {
  const query = useQuery({
    queryKey: ['dept-tree', tree, 'plain'],
    queryFn: async () => (await call(deptApi.tree, { tree }, { quiet: true })).list,
    staleTime: kept_ms,
  })
  const nodes = (query.data ?? []).map(nodeOf)
  const nothing = query.isError ? '部门加载失败，请收起后重新打开' : query.isPending ? '加载中…' : '没有符合的部门'
  return (
    <TreeSelect<string[]>
      id={id} className="kit-fill" multiple treeCheckable treeCheckStrictly={false} showCheckedStrategy="SHOW_PARENT" allowClear maxTagCount={3} aria-label={label}
      placeholder={placeholder} showSearch={{ treeNodeFilterProp: 'title' }} loading={query.isFetching} notFoundContent={nothing} treeData={nodes}
      popupRender={menu => named(menu, `${id}_list`)} onOpenChange={open => open && query.isError && void query.refetch()}
      treeDefaultExpandedKeys={nodes.map(node => node.value)} value={value} onChange={ids => onChange(ids.map(one => ({ id: one, name: nameIn(nodes, one) })))}
    />
  )
}

function named(menu: ReactNode, id: string): ReactElement {
  return <div id={id}>{menu}</div>
}

function nodeOf(node: DeptTreeNode): Node {
  return { value: node.id, title: node.label, children: node.children.map(nodeOf) }
}

function nameIn(nodes: readonly Node[], id: string): string {
  for (const node of nodes) {
    const name = node.value === id ? node.title : nameIn(node.children, id)
    if (name !== '') return name
  }
  return ''
}
