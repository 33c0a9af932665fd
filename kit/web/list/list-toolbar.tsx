import { DownOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'

type Props = {
  /** how many, and filtered by what */
  summary: ReactNode
  /** at most one primary and two other buttons */
  actions?: ReactNode
  /** the other acts of the list, under 更多 */
  more?: ReactNode
  /** how many rows are chosen, with what may be done with them */
  selection?: { count: number; acts?: ReactNode; clear: () => void }
}

/** The one line over a list. What may be done with chosen rows lies over it at the same height, so that choosing a row moves none (`screens.md` §2). */
export function ListToolbar({ summary, actions, more, selection }: Props): ReactNode {
  const is_choosing = selection !== undefined && selection.count > 0
  return (
    <div className="kit-toolbar">
      <div className="kit-toolbar-line" inert={is_choosing}>
        {summary}
        <div className="kit-toolbar-actions">
          {actions}
          {more !== undefined && <MoreActions>{more}</MoreActions>}
        </div>
      </div>
      {selection && (
        <div className="kit-selection" role="toolbar" aria-label="对已选数据的操作" hidden={!is_choosing}>
          <span>已选 {selection.count} 条</span>
          <div className="kit-toolbar-actions">{selection.acts}</div>
          <Button type="link" size="small" onClick={selection.clear}>取消选择</Button>
        </div>
      )}
    </div>
  )
}

/** Acts under one button; gone when none of them may be used. They stay mounted, since each keeps the dialog it opens. */
export function MoreActions({ children }: { children: ReactNode }): ReactNode {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!open) return
    const over = new AbortController()
    const close = (event: Event) => {
      const is_over = event instanceof KeyboardEvent ? event.key === 'Escape' : !(event.target instanceof Node && button.current?.contains(event.target))
      if (!is_over) return
      // What was chosen is gone with the panel: a dialog gives the focus back to the button.
      if (button.current?.parentElement?.contains(document.activeElement)) button.current.focus()
      setOpen(false)
    }
    for (const kind of ['click', 'keydown']) document.addEventListener(kind, close, { signal: over.signal })
    return () => over.abort()
  }, [open])
  return (
    <div className="kit-more">
      <Button ref={button} icon={<DownOutlined aria-hidden />} iconPlacement="end" aria-expanded={open} onClick={() => setOpen(!open)}>更多</Button>
      <div className="kit-more-panel" role="group" aria-label="更多操作" hidden={!open}>{children}</div>
    </div>
  )
}
