import type { DeptTreeNode } from '@campus/people/contract'
import type { KeyboardEvent } from 'react'
import type { DeptDoor } from './dept-door.ts'
import { isRoot } from './dept-place.ts'
import { stepOf } from './tree-rows.ts'
import type { TreeRow } from './tree-rows.ts'
import type { TreeEdit } from './use-tree-edit.ts'

type Of = {
  tree: readonly DeptTreeNode[]
  rows: readonly TreeRow[]
  active: string
  setActive: (id: string) => void
  toggle: (id: string, open: boolean) => void
  edit: TreeEdit
  door: DeptDoor | undefined
}
type Press = KeyboardEvent<HTMLUListElement>

/** The keys of the tree: arrows, Home and End walk; Enter renames, Alt+↑↓ orders, Insert adds a sibling, Delete asks for removal. */
export function useTreeKeys({ tree, rows, active, setActive, toggle, edit, door }: Of): (event: Press) => void {
  const at = rows.findIndex(row => row.node.id === active)
  const row = rows[at]
  const goTo = (list: HTMLElement, id: string | null | undefined) => {
    if (id === null || id === undefined) return
    setActive(id)
    list.querySelector<HTMLElement>(`[data-dept="${id}"]`)?.focus()
  }
  const order = (step: 1 | -1) => {
    const move = door ? stepOf(tree, active, step) : null
    if (move) void edit.move(move)
  }
  const walks: Record<string, (list: HTMLElement, here: TreeRow) => void> = {
    ArrowDown: list => goTo(list, rows[at + 1]?.node.id),
    ArrowUp: list => goTo(list, rows[at - 1]?.node.id),
    Home: list => goTo(list, rows[0]?.node.id),
    End: list => goTo(list, rows.at(-1)?.node.id),
    ArrowRight: (list, here) => (here.is_open ? goTo(list, here.node.children[0]?.id) : toggle(here.node.id, here.node.children.length > 0)),
    ArrowLeft: (list, here) => (here.is_open ? toggle(here.node.id, false) : goTo(list, here.node.parent_id)),
  }
  const acts: Record<string, (node: DeptTreeNode, open: DeptDoor['open']) => void> = {
    Enter: node => edit.begin(node),
    F2: node => edit.begin(node),
    Insert: (node, open) => node.parent_id !== null && open({ kind: 'add', parent_id: node.parent_id, dept_type: node.dept_type }),
    Delete: (node, open) => open({ kind: 'remove', id: node.id }),
  }
  return event => {
    const is_line = event.target instanceof HTMLElement && event.target.getAttribute('role') === 'treeitem'
    if (!is_line || !row) return
    const steps: Record<string, 1 | -1> = { ArrowUp: -1, ArrowDown: 1 }
    const step = event.altKey ? steps[event.key] : undefined
    const walk = walks[event.key]
    const act = acts[event.key]
    if (step) order(step)
    else if (walk) walk(event.currentTarget, row)
    else if (act && door && !isRoot(row.node)) act(row.node, door.open)
    else return
    event.preventDefault()
  }
}
