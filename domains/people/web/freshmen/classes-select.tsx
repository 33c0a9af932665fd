import { deptApi } from '@campus/people/contract'
import type { DeptTreeNode } from '@campus/people/contract'
import { call } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { TreeSelect } from 'antd'
import type { ReactNode } from 'react'

const kept_ms = 60_000
const class_type = 4

type Node = { value: string; title: string; children: Node[] }
type Props = { id?: string; value?: string[]; onChange?: (dept_ids: string[]) => void }

/** Chooses the classes of a placement; a grade stands for all of its classes. */
export function ClassesSelect({ id, value, onChange }: Props): ReactNode {
  const tree = useQuery({
    queryKey: ['dept-tree', 'student', ''],
    queryFn: async () => (await call(deptApi.tree, { tree: 'student', with_count: '1' }, { quiet: true })).list,
    staleTime: kept_ms,
  })
  const nodes = (tree.data ?? []).flatMap(nodesOf)
  return (
    <TreeSelect
      id={id}
      className="kit-fill"
      treeCheckable
      showCheckedStrategy={TreeSelect.SHOW_CHILD}
      maxTagCount="responsive"
      placeholder="新生编入的班级，可以在报名结束后再选"
      treeNodeFilterProp="title"
      loading={tree.isFetching}
      notFoundContent={tree.isError ? '班级加载失败，请收起后重新打开' : '没有符合的班级'}
      onOpenChange={is_open => is_open && tree.isError && void tree.refetch()}
      treeData={nodes}
      value={tree.data ? value : []}
      onChange={(dept_ids: string[]) => onChange?.(dept_ids)}
    />
  )
}

/** Only what leads to a class is shown. */
function nodesOf(node: DeptTreeNode): Node[] {
  const children = node.children.flatMap(nodesOf)
  return node.dept_type === class_type || children.length > 0 ? [{ value: node.id, title: node.label, children }] : []
}
