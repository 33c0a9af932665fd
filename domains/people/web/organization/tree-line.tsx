import { CaretDownFilled, CaretRightFilled, MoreOutlined } from '@ant-design/icons'
import type { DeptTreeNode } from '@campus/people/contract'
import { Dropdown } from 'antd'
import type { DragEvent, ReactNode } from 'react'
import type { DeptDoor } from './dept-door.ts'
import { isRoot, typeWord } from './dept-place.ts'
import { lineMenu } from './line-menu.ts'
import { takes_focus } from './menu-focus.ts'
import { RenameField } from './rename-field.tsx'
import { moveOf } from './tree-rows.ts'
import type { Drop, TreeRow } from './tree-rows.ts'
import type { TreeEdit } from './use-tree-edit.ts'

type Props = {
  row: TreeRow
  facts: LineFacts
  tree: readonly DeptTreeNode[]
  door: DeptDoor | undefined
  edit: TreeEdit
  is_active: boolean
  activate: (id: string) => void
  toggle: (id: string, open: boolean) => void
  dragged: string | null
  drag: (id: string | null) => void
  hint: Drop['place'] | null
  setHint: (hint: Drop | null) => void
}

/** What a line says behind its name; links in it take part in the tab order while the line is the active one. */
export type LineFacts = (node: DeptTreeNode, tab_index: 0 | -1) => ReactNode

/** One line of the tree. */
export function TreeLine({ row, facts, tree, door, edit, is_active, activate, toggle, dragged, drag, hint, setHint }: Props): ReactNode {
  const { node, level, index, siblings, is_open } = row
  const { id } = node
  const is_renamed = edit.renaming?.id === id
  const is_movable = door !== undefined && !isRoot(node) && !is_renamed
  const over = (event: DragEvent<HTMLLIElement>) => {
    const drop = dragged === null ? null : dropAt(tree, dragged, id, shareOf(event))
    setHint(drop)
    if (drop) event.preventDefault()
  }
  return (
    <li
      role="treeitem"
      data-dept={id}
      className="org-line"
      data-hint={hint ?? undefined}
      aria-level={level}
      aria-posinset={index}
      aria-setsize={siblings}
      aria-expanded={node.children.length > 0 ? is_open : undefined}
      aria-selected={is_active}
      tabIndex={is_active ? 0 : -1}
      style={{ paddingInlineStart: level * 20 - 12 }}
      onFocus={() => activate(id)}
      draggable={is_movable}
      onDragStart={event => {
        event.dataTransfer.setData('text/plain', node.dept_name)
        drag(id)
      }}
      onDragOver={over}
      onDoubleClick={() => door && !isRoot(node) && edit.begin(node)}
    >
      <span className="org-caret" aria-hidden onClick={() => toggle(id, !is_open)}>
        {node.children.length > 0 && (is_open ? <CaretDownFilled /> : <CaretRightFilled />)}
      </span>
      {is_renamed ? <RenameField edit={edit} /> : <span className="org-line-name" title={node.pt_node_path_name}>{node.dept_name}</span>}
      <span className="org-line-type">{typeWord(node.dept_type)}</span>
      {facts(node, is_active ? 0 : -1)}
      {door && <LineMenu row={row} tree={tree} door={door} edit={edit} is_active={is_active} />}
    </li>
  )
}

function LineMenu({ row, tree, door, edit, is_active }: Pick<Props, 'row' | 'tree' | 'edit' | 'is_active'> & { door: DeptDoor }): ReactNode {
  return (
    <Dropdown menu={{ items: lineMenu(row, tree, door, edit) }} trigger={['click']} placement="bottomRight" {...takes_focus}>
      <button type="button" className="org-more" aria-label={`更多 ${row.node.dept_name}`} tabIndex={is_active ? 0 : -1}>
        <MoreOutlined aria-hidden />
      </button>
    </Dropdown>
  )
}

/** How far down the line the pointer is, 0–1. */
function shareOf(event: DragEvent<HTMLLIElement>): number {
  const { top, height } = event.currentTarget.getBoundingClientRect()
  return (event.clientY - top) / height
}

/** The drop nearest to the pointer that may be; null when none may. */
function dropAt(tree: readonly DeptTreeNode[], dragged: string, id: string, share: number): Drop | null {
  const edge: Drop['place'] = share < 0.5 ? 'before' : 'after'
  const wanted: Drop['place'][] = share > 0.25 && share < 0.75 ? ['inside', edge] : [edge, 'inside']
  const place = wanted.find(one => moveOf(tree, dragged, { id, place: one }) !== null)
  return place ? { id, place } : null
}
