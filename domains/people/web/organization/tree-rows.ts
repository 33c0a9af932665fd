import type { DeptTreeNode } from '@campus/people/contract'
import { everyNode, isRoot, nodeOf, standsUnder } from './dept-place.ts'

/** One drawn line of the tree; `index` and `siblings` as the tree shows them, from 1. */
export type TreeRow = { node: DeptTreeNode; level: number; index: number; siblings: number; is_open: boolean }
/** Where a dragged department is let go. */
export type Drop = { id: string; place: 'before' | 'inside' | 'after' }
/** What letting go comes to: a new parent, a new place among the siblings (from 1), or both. */
export type Move = { id: string; parent_id?: string; index?: number }

/** The lines to draw: children of opened departments alone. */
export function rowsOf(nodes: readonly DeptTreeNode[], opened: ReadonlySet<string>, level = 1): TreeRow[] {
  return nodes.flatMap((node, at) => {
    const is_open = opened.has(node.id) && node.children.length > 0
    const row = { node, level, index: at + 1, siblings: nodes.length, is_open }
    return is_open ? [row, ...rowsOf(node.children, opened, level + 1)] : [row]
  })
}

/** The move that a drop means; null where nothing may or need be done. */
export function moveOf(tree: readonly DeptTreeNode[], dragged_id: string, { id, place }: Drop): Move | null {
  const dragged = nodeOf(tree, dragged_id)
  const target = nodeOf(tree, id)
  if (!dragged || !target || isRoot(dragged) || nodeOf([dragged], id)) return null
  if (place === 'inside') return mayStand(tree, dragged, target.id) && dragged.parent_id !== target.id ? { id: dragged_id, parent_id: target.id } : null
  if (target.parent_id === null || !mayStand(tree, dragged, target.parent_id)) return null
  const siblings = nodeOf(tree, target.parent_id)?.children ?? []
  const at = siblings.findIndex(node => node.id === id) + (place === 'before' ? 1 : 2)
  if (dragged.parent_id !== target.parent_id) return { id: dragged_id, parent_id: target.parent_id, index: at }
  return placed(dragged_id, siblings, at)
}

/** One step up or down among the siblings; null at the ends. */
export function stepOf(tree: readonly DeptTreeNode[], id: string, step: 1 | -1): Move | null {
  const node = nodeOf(tree, id)
  const siblings = node?.parent_id ? (nodeOf(tree, node.parent_id)?.children ?? []) : []
  const index = siblings.findIndex(one => one.id === id) + 1 + step
  return index >= 1 && index <= siblings.length ? { id, index } : null
}

/** Where a department could move to: legal parents but its own. */
export function parentsFor(tree: readonly DeptTreeNode[], id: string): DeptTreeNode[] {
  const node = nodeOf(tree, id)
  if (!node) return []
  return everyNode(tree).filter(one => one.id !== node.parent_id && standsUnder(node.dept_type, one.dept_type) && !nodeOf([node], one.id))
}

function mayStand(tree: readonly DeptTreeNode[], dragged: DeptTreeNode, parent_id: string): boolean {
  const parent = nodeOf(tree, parent_id)
  return parent !== undefined && (dragged.parent_id === parent_id || standsUnder(dragged.dept_type, parent.dept_type))
}

// The dragged one leaves a gap: places behind it move up by one.
function placed(id: string, siblings: readonly DeptTreeNode[], at: number): Move | null {
  const from = siblings.findIndex(node => node.id === id) + 1
  const index = from < at ? at - 1 : at
  return index === from ? null : { id, index }
}
