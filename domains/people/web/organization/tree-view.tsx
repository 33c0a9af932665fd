import type { DeptTreeNode } from '@campus/people/contract'
import { confirmDanger } from '@kit/web'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import type { DeptDoor } from './dept-door.ts'
import { dept_types, everyNode, nodeOf } from './dept-place.ts'
import type { Side } from './dept-place.ts'
import { TreeLine } from './tree-line.tsx'
import type { LineFacts } from './tree-line.tsx'
import { moveOf, rowsOf } from './tree-rows.ts'
import type { Drop, Move } from './tree-rows.ts'
import { useTreeEdit } from './use-tree-edit.ts'
import type { TreeEdit } from './use-tree-edit.ts'
import { useTreeKeys } from './use-tree-keys.ts'

type Props = {
  side: Side
  tree: readonly DeptTreeNode[]
  door: DeptDoor | undefined
  facts: LineFacts
  /** where the tree begins, and who hears of the line that is in turn */
  start?: string
  onActive?: (id: string) => void
}
const labels = { student: '学生组织架构', staff: '教职工组织架构' } as const

/** A whole tree of departments. With a door: rename in place, drag or Alt+↑↓ to order, Insert, Delete, and a menu for each. */
export function TreeView({ side, tree, door, facts, start, onActive }: Props): ReactNode {
  const [opened, setOpened] = useState<ReadonlySet<string>>(() => new Set(everyNode(tree).filter(node => side === 'staff' || node.dept_type < dept_types.grade).map(node => node.id)))
  const rows = useMemo(() => rowsOf(tree, opened), [tree, opened])
  const [active, putActive] = useState(start ?? tree[0]?.id ?? '')
  const edit = useTreeEdit(side)
  const { dragged, setDragged, hint, setHint, letGo, end } = useDrag(side, tree, edit)
  const setActive = (id: string) => {
    putActive(id)
    onActive?.(id)
  }
  const toggle = (id: string, open: boolean) => setOpened(before => new Set(open ? [...before, id] : [...before].filter(other => other !== id)))
  const active_id = rows.some(row => row.node.id === active) ? active : (rows[0]?.node.id ?? '')
  const list = useRef<HTMLUListElement>(null)
  const keys = useTreeKeys({ tree, rows, active: active_id, setActive, toggle, edit, door })
  useKeptFocus(list, active_id, rows, edit.renaming?.id)
  return (
    <div className="org-body org-tree-card">
      {door && <p className="org-keys">Enter 重命名　Alt+↑↓ 排序　Insert 添加同级　Delete 删除　拖动可排序或移到其他上级</p>}
      <ul role="tree" aria-label={labels[side]} className="org-tree" ref={list} onKeyDown={keys} onDrop={letGo} onDragEnd={end}>
        {rows.map(row => (
          <TreeLine
            key={row.node.id}
            row={row}
            facts={facts}
            tree={tree}
            door={door}
            edit={edit}
            is_active={row.node.id === active_id}
            activate={setActive}
            toggle={toggle}
            dragged={dragged}
            drag={setDragged}
            hint={hint?.id === row.node.id ? hint.place : null}
            setHint={setHint}
          />
        ))}
      </ul>
    </div>
  )
}

/** What is dragged and where it would go; letting go carries the move out. */
function useDrag(side: Side, tree: readonly DeptTreeNode[], edit: TreeEdit) {
  const [dragged, setDragged] = useState<string | null>(null)
  const [hint, setHint] = useState<Drop | null>(null)
  const end = () => {
    setDragged(null)
    setHint(null)
  }
  const letGo = () => {
    const move = dragged !== null && hint ? moveOf(tree, dragged, hint) : null
    end()
    if (move) void carryOut(move)
  }
  const carryOut = async (move: Move) => {
    if (await confirmed(side, tree, move)) await edit.move(move)
  }
  return { dragged, setDragged, hint, setHint, letGo, end }
}

/** A new parent takes everybody below along, so it is asked first; another place among the siblings is not. */
function confirmed(side: Side, tree: readonly DeptTreeNode[], { id, parent_id }: Move): Promise<boolean> {
  const node = nodeOf(tree, id)
  const parent = parent_id === undefined ? undefined : nodeOf(tree, parent_id)
  if (!node || !parent) return Promise.resolve(true)
  const touched = side === 'staff' ? `${node.staff_count.toLocaleString('en-US')} 名教职工` : `${node.student_count.toLocaleString('en-US')} 名学生`
  const title = `将${node.dept_name}移到${parent.dept_name}下？`
  return confirmDanger({ title, touches: `${touched}随之移动，今天起生效；此前的名册和历史不变。`, ok: '移动' })
}

/** A line that changed its place keeps the focus it had, and takes that of its name field when the renaming ends. */
function useKeptFocus(list: { current: HTMLUListElement | null }, active: string, rows: unknown, renamed: string | undefined): void {
  const had = useRef(false)
  useEffect(() => {
    const tree = list.current
    const line = tree?.querySelector<HTMLElement>(`[data-dept="${active}"]`)
    if (had.current && tree && document.activeElement === document.body) line?.focus()
    const note = () => {
      had.current = tree?.contains(document.activeElement) === true
    }
    document.addEventListener('focusin', note)
    return () => document.removeEventListener('focusin', note)
  }, [list, active, rows, renamed])
}
