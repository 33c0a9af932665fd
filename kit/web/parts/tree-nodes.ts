/** A node of a lazily loaded tree; `path` is the full name shown in search results. `is_target`: what is dragged may be dropped on it, the page listens. */
export type TreeNode = { id: string; name: string; path?: string; count?: number; is_leaf: boolean; is_target?: boolean; children?: TreeNode[] }

/** The tree with the loaded children of one node put in. */
export function withChildren(nodes: readonly TreeNode[], id: string, children: TreeNode[]): TreeNode[] {
  return nodes.map((node) => {
    if (node.id === id) return { ...node, children }
    return node.children ? { ...node, children: withChildren(node.children, id, children) } : node
  })
}
