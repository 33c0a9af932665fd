import { most_quick } from '@campus/school/contract'
import type { NavItem } from '@campus/school/contract'
import { Button } from 'antd'
import { useLayoutEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { useDragOrder } from '@kit/web/order'
import { Tile } from './tile.tsx'
import type { Icon } from './tile.tsx'
import type { QuickEdit } from './use-quick-edit.ts'

const head_id = 'quick-head'
const switch_id = 'quick-switch'

/** 快捷入口: the person's own pages in his own order; 编辑 makes it a draft. */
export function QuickRow({ quick, edit, icon }: { quick: readonly NavItem[]; edit: QuickEdit; icon: Icon }): ReactNode {
  const { draft } = edit
  return (
    <section className="icons-card" aria-labelledby={head_id}>
      <header>
        <h2 id={head_id}>快捷入口</h2>
        {draft && <span className="icons-hint">{`${draft.length}/${most_quick}，拖动或用箭头调整顺序，点击下方应用添加或移除`}</span>}
        <span className="icons-buttons">
          {draft && <Button size="small" onClick={edit.cancel}>取消</Button>}
          <Button id={switch_id} size="small" type={draft ? 'primary' : 'text'} loading={edit.busy} onClick={draft ? edit.save : edit.start}>
            {draft ? '完成' : '编辑'}
          </Button>
        </span>
      </header>
      {draft ? <Draft draft={draft} edit={edit} icon={icon} /> : <Row quick={quick} icon={icon} />}
      <p className="kit-hidden" role="status">{edit.said}</p>
    </section>
  )
}

function Row({ quick, icon }: { quick: readonly NavItem[]; icon: Icon }): ReactNode {
  if (quick.length === 0) return <p className="icons-none">还没有快捷入口，点击“编辑”添加常用的应用</p>
  return <div className="icons-grid">{quick.map(page => <Tile key={page.path} page={page} icon={icon} />)}</div>
}

function Draft({ draft, edit, icon }: { draft: readonly NavItem[]; edit: QuickEdit; icon: Icon }): ReactNode {
  const keepFocus = useFocusAfter(draft)
  const list = useDragOrder(edit.move)
  if (draft.length === 0) return <p className="icons-none">还没有选择，点击下方的应用添加，最多{most_quick}个</p>
  return (
    <ol ref={list} className="icons-grid" aria-label="快捷入口的顺序">
      {draft.map((page, at) => (
        <li key={page.path} className="icons-tile icons-draft" draggable>
          {icon(page.icon)}
          <span className="icons-name">{page.show_name}</span>
          <Tools page={page} at={at} draft={draft} edit={edit} keepFocus={keepFocus} />
        </li>
      ))}
    </ol>
  )
}

type ToolProps = { page: NavItem; at: number; draft: readonly NavItem[]; edit: QuickEdit; keepFocus: (id: string) => void }

function Tools({ page, at, draft, edit, keepFocus }: ToolProps): ReactNode {
  const last = draft.length - 1
  const tools = [
    { name: 'left', sign: '←', label: '前移', off: at === 0, act: () => edit.move(at, at - 1), next: page.path },
    { name: 'right', sign: '→', label: '后移', off: at === last, act: () => edit.move(at, at + 1), next: page.path },
    { name: 'out', sign: '×', label: '移除', off: false, act: () => edit.toggle(page), next: (draft[at + 1] ?? draft[at - 1])?.path },
  ]
  return (
    <span className="icons-tools">
      {tools.map(({ name, sign, label, off, act, next }) => (
        <button
          key={name} type="button" id={toolId(name, page.path)} aria-label={`${label} ${page.show_name}`} title={label} aria-disabled={off}
          onClick={() => {
            if (off) return
            keepFocus(next === undefined ? switch_id : toolId(name, next))
            act()
          }}
        >
          {sign}
        </button>
      ))}
    </span>
  )
}

function toolId(name: string, path: string): string {
  return `quick-${name}-${path.slice(1)}`
}

/** A tile that moved was put into the page anew, and one that went took the focus with it. */
function useFocusAfter(draft: readonly NavItem[]): (id: string) => void {
  const wanted = useRef<string>(undefined)
  useLayoutEffect(() => {
    if (wanted.current !== undefined) document.getElementById(wanted.current)?.focus()
    wanted.current = undefined
  }, [draft])
  return id => {
    wanted.current = id
  }
}
