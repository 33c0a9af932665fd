import { deptApi } from '@campus/people/contract'
import type { DeptTreeNode } from '@campus/people/contract'
import { call } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { TreeSelect } from 'antd'
import type { ReactElement, ReactNode } from 'react'

const KEPT_MS = 60_000
type Node = { value: string; title: string; disabled: boolean; children: Node[] }

/** Chooses a department of the staff tree. The field names its list by `<id>_list`, which the tree does not carry by itself. */
export function StaffDeptSelect({ id, value, onChange, disabled, label }: { id?: string; value?: string; onChange?: (dept_id?: string) => void; disabled?: boolean; label?: string }): ReactNode {
  const tree = useQuery({
    queryKey: ['dept-tree', 'staff', ''],
    queryFn: async () => (await call(deptApi.tree, { tree: 'staff', with_count: '1' }, { quiet: true })).list,
    staleTime: KEPT_MS,
  })
  const nodes = (tree.data ?? []).map(nodeOf)
  return (
    <TreeSelect
      id={id}
      aria-label={label}
      className="kit-fill"
      placeholder="请选择部门"
      showSearch={{ treeNodeFilterProp: 'title' }}
      loading={tree.isFetching}
      notFoundContent={tree.isError ? '部门加载失败，请收起后重新打开' : tree.isPending ? '加载中…' : '没有符合的部门'}
      popupRender={menu => named(menu, `${id}_list`)}
      onOpenChange={is_open => is_open && tree.isError && void tree.refetch()}
      treeData={nodes}
      treeDefaultExpandAll
      disabled={disabled}
      value={value}
      onChange={(dept_id?: string) => onChange?.(dept_id)}
    />
  )
}

function named(menu: ReactNode, id: string): ReactElement {
  return <div id={id}>{menu}</div>
}

function nodeOf(node: DeptTreeNode): Node {
  return { value: node.id, title: node.label, disabled: node.dept_type === 3 || node.dept_type === 4, children: node.children.map(nodeOf) }
}
