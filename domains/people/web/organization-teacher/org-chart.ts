import type { DeptTreeNode } from '@campus/people/contract'

/** One box of the chart: its place by the upper left corner, in units of the drawing. */
export type ChartBox = { node: DeptTreeNode; x: number; y: number; parent: { x: number; y: number } | null }
export type Chart = { boxes: ChartBox[]; width: number; height: number }

export const box = { width: 212, height: 52 } as const
const column = box.width + 48
const line = box.height + 12

/**
 * Places a tree from left to right: a level a column, a leaf a line, whoever has something below on the line of the first of it, so that the top of the chart is the top of the tree. Boxes of one
 * level never touch; the order is that of the tree.
 */
export function layOut(tree: readonly DeptTreeNode[]): Chart {
  const boxes: ChartBox[] = []
  let lines = 0
  const place = (node: DeptTreeNode, level: number): ChartBox => {
    const below = node.children.map(child => place(child, level + 1))
    const y = below[0]?.y ?? lines++ * line
    const here: ChartBox = { node, x: level * column, y, parent: null }
    for (const child of below) child.parent = here
    boxes.push(here)
    return here
  }
  for (const root of tree) place(root, 0)
  const right = Math.max(0, ...boxes.map(one => one.x + box.width))
  return { boxes: boxes.toSorted((a, b) => a.x - b.x || a.y - b.y), width: right, height: Math.max(0, lines * line - (line - box.height)) }
}
