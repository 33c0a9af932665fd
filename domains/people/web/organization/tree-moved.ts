import type { DeptTreeNode } from '@campus/people/contract'
import { nodeOf } from './dept-place.ts'
import type { Move } from './tree-rows.ts'

/** The tree as it will be after a move; what is sent is shown before it is answered. */
export function moved(tree: readonly DeptTreeNode[], { id, parent_id, index }: Move): DeptTreeNode[] {
  const node = nodeOf(tree, id)
  if (!node) return [...tree]
  const home = parent_id ?? node.parent_id
  return put(without(tree, id), { ...node, parent_id: home }, index)
}

function without(tree: readonly DeptTreeNode[], id: string): DeptTreeNode[] {
  return tree.filter(node => node.id !== id).map(node => ({ ...node, children: without(node.children, id) }))
}

function put(tree: readonly DeptTreeNode[], node: DeptTreeNode, index: number | undefined): DeptTreeNode[] {
  return tree.map(one => (one.id === node.parent_id ? { ...one, children: inserted(one.children, node, index) } : { ...one, children: put(one.children, node, index) }))
}

function inserted(children: readonly DeptTreeNode[], node: DeptTreeNode, index: number | undefined): DeptTreeNode[] {
  const at = index === undefined ? children.length : index - 1
  return [...children.slice(0, at), node, ...children.slice(at)]
}
