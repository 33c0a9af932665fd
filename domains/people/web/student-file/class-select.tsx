import { deptApi } from '@campus/people/contract'
import type { DeptTreeNode } from '@campus/people/contract'
import { call } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { TreeSelect } from 'antd'
import type { ReactElement, ReactNode } from 'react'

const KEPT_MS = 60_000
const class_type = 4

type Node = { value: string; title: string; room: string; selectable: boolean; children: Node[] }

function useClassTree() {
  return useQuery({
    queryKey: ['dept-tree', 'student', ''],
    queryFn: async () => (await call(deptApi.tree, { tree: 'student', with_count: '1' }, { quiet: true })).list,
    staleTime: KEPT_MS,
  })
}

/** Whether a class holds `coming` more pupils: its numbers when it does not, null while it does or nobody knows. */
export function useFullClass(dept_id: string | undefined, coming: number): string | null {
  const tree = useClassTree()
  const found = dept_id === undefined ? undefined : findNode(tree.data ?? [], dept_id)
  if (!found || found.capacity === null || found.student_count + coming <= found.capacity) return null
  return roomOf(found)
}

function findNode(nodes: readonly DeptTreeNode[], dept_id: string): DeptTreeNode | undefined {
  for (const node of nodes) {
    const found = node.id === dept_id ? node : findNode(node.children, dept_id)
    if (found) return found
  }
  return undefined
}

/** `47/48` */
function roomOf({ dept_type, student_count, capacity }: DeptTreeNode): string {
  return dept_type === class_type && capacity !== null ? `${student_count}/${capacity}` : ''
}

/** Chooses a class in the student tree; other departments only open. The field names its list by `<id>_list`, which the tree does not carry by itself. */
export function ClassSelect({ id, value, onChange }: { id?: string; value?: string; onChange?: (dept_id?: string) => void }): ReactNode {
  const tree = useClassTree()
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
      treeTitleRender={titled}
      treeDefaultExpandedKeys={nodes.map(node => node.value)}
      value={is_class ? value : undefined}
      onChange={(dept_id?: string) => onChange?.(dept_id)}
    />
  )
}

function titled({ title, room }: Node): ReactNode {
  return room === '' ? title : <>{title} <small className="kit-number">{room}</small></>
}

function named(menu: ReactNode, id: string): ReactElement {
  return <div id={id}>{menu}</div>
}

function NotFound({ is_pending, is_failed }: { is_pending: boolean; is_failed: boolean }): ReactNode {
  if (is_failed) return '班级加载失败，请收起后重新打开'
  return is_pending ? '加载中…' : '没有符合的班级'
}

function nodeOf(node: DeptTreeNode): Node {
  return { value: node.id, title: node.label, room: roomOf(node), selectable: node.dept_type === class_type, children: node.children.map(nodeOf) }
}

function holds(nodes: readonly Node[], dept_id: string): boolean {
  return nodes.some(node => (node.value === dept_id && node.selectable) || holds(node.children, dept_id))
}
