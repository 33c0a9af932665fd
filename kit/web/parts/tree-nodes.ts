/** A node of a lazily loaded tree; `path` is the full name shown in search results. */
export type TreeNode = { id: string; name: string; path?: string; count?: number; is_leaf: boolean; children?: TreeNode[] }

/** The tree with the loaded children of one node put in. */
export function withChildren(nodes: readonly TreeNode[], id: string, children: TreeNode[]): TreeNode[] {
  return nodes.map((node) => {
    if (node.id === id) return { ...node, children }
    return node.children ? { ...node, children: withChildren(node.children, id, children) } : node
  })
}
