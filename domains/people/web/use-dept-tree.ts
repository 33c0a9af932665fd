import { deptApi } from '@campus/people/contract'
import type { DeptTreeNode } from '@campus/people/contract'
import { holdsName } from '@kit/contract/checks'
import { call, useCan, usePage } from '@kit/web'
import type { TreeNode } from '@kit/web'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'

const KEPT_MS = 60_000
const class_type = 4

/** The tree of one day: what the panel shows, and the names of its departments. */
export type DeptTree = {
  load: (parent_id?: string) => Promise<TreeNode[]>
  search: (text: string) => Promise<TreeNode[]>
  nameOf: (dept_id: string) => string | undefined
}

/** Reads the tree of pupils or of staff with counts (as of `on`, or of today). One answer serves panel, search and names; at most 3,000 nodes. */
export function useDeptTree(on: string | undefined, which: 'student' | 'staff' = 'student'): DeptTree {
  const { active } = usePage()
  const allowed = useCan(deptApi.tree)
  const client = useQueryClient()
  const options = useMemo(
    () => ({
      queryKey: ['dept-tree', which, on ?? ''],
      queryFn: async () => (await call(deptApi.tree, { tree: which, with_count: '1', on }, { quiet: true })).list,
      staleTime: KEPT_MS,
    }),
    [on, which],
  )
  const { data } = useQuery({ ...options, enabled: active && allowed })
  const names = useMemo(() => new Map(flat(data ?? []).map((node) => [node.id, node.label])), [data])
  const nameOf = useCallback((dept_id: string) => names.get(dept_id), [names])
  return {
    load: async (parent_id) => {
      const roots = await client.fetchQuery(options)
      return (parent_id === undefined ? roots : (flat(roots).find((node) => node.id === parent_id)?.children ?? [])).map(node => nodeOf(node, which))
    },
    search: async (text) => {
      const roots = await client.fetchQuery(options)
      return found(roots, text, which)
    },
    nameOf,
  }
}

function flat(nodes: readonly DeptTreeNode[]): DeptTreeNode[] {
  return nodes.flatMap((node) => [node, ...flat(node.children)])
}

// A hit is told by its parent, unless its own name says as much: 小学部/一年级, 一年级3班.
function found(nodes: readonly DeptTreeNode[], text: string, which: 'student' | 'staff', parent = ''): TreeNode[] {
  return nodes.flatMap((node) => {
    const path = parent === '' || node.label.startsWith(parent) ? node.label : `${parent}/${node.label}`
    const below = found(node.children, text, which, node.label)
    return holdsName(node.label, text) || holdsName(node.dept_name, text) ? [{ ...nodeOf(node, which), path }, ...below] : below
  })
}

function nodeOf(node: DeptTreeNode, which: 'student' | 'staff'): TreeNode {
  return {
    id: node.id,
    name: node.label,
    path: node.pt_node_path_name,
    count: which === 'staff' ? node.staff_count : node.student_count,
    is_leaf: node.children.length === 0,
    is_target: node.dept_type === class_type,
    children: node.children.map(child => nodeOf(child, which)),
  }
}
