import type { DeptChoice } from '@campus/identity/web'
import type { DeptTreeNode } from '@campus/people/contract'
import { call, can } from '@kit/web'
import { routeTable } from './route-table.ts'

/** The product's departments and pages behind the ports of identity's screens. The contract of departments is fetched when it is asked for. */
export const identityPorts = {
  depts: async (): Promise<DeptChoice[] | null> => {
    const { deptApi } = await import('@campus/people/contract')
    if (!can(deptApi.tree)) return null
    const trees = await Promise.all((['student', 'staff'] as const).map(tree => call(deptApi.tree, { tree }, { quiet: true })))
    return merged(trees.flatMap(({ list }) => list.map(choiceOf)))
  },
  pages: () => [...routeTable.values()].map(({ fact: { path, title } }) => ({ path, title })),
}

// Pupils' and staff departments hang under one root, the school.
function merged(roots: readonly DeptChoice[]): DeptChoice[] {
  const by_id = Map.groupBy(roots, root => root.value)
  return [...by_id].map(([value, same]) => ({ value, title: same[0]?.title ?? '', children: same.flatMap(root => root.children) }))
}

function choiceOf({ id, dept_name, children }: DeptTreeNode): DeptChoice {
  return { value: id, title: dept_name, children: children.map(choiceOf) }
}
