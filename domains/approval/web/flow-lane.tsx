import { useDragOrder } from '@kit/web/order'
import { Button } from 'antd'
import type { KeyboardEvent, ReactNode } from 'react'
import './flow.css'

/** One step of a flow as a card: when it is needed, who decides and how, in words. */
export type FlowCard = { key: string; title: string; condition: string; people: string; mode: string; late: string; fault?: string }
type Props = {
  label: string
  cards: readonly FlowCard[]
  selected: number | null
  onSelect: (at: number) => void
  /** absent: the flow is only read */
  onMove?: (from: number, to: number) => void
  onRemove?: (at: number) => void
  onAdd?: () => void
  most: number
}

/** The steps of a flow from left to right: dragged to another place, or by keys (← → to go, Alt with them to move, Delete to remove). */
export function FlowLane({ label, cards, selected, onSelect, onMove, onRemove, onAdd, most }: Props): ReactNode {
  const order = useDragOrder((from, to) => onMove?.(from, to))
  const onKey = (event: KeyboardEvent<HTMLElement>, at: number) => {
    if (event.key === 'Delete' && onRemove) return onRemove(at)
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key]
    if (step === undefined) return undefined
    event.preventDefault()
    const to = at + step
    if (to < 0 || to >= cards.length) return undefined
    if (event.altKey) onMove?.(at, to)
    else onSelect(to)
    return event.currentTarget.parentElement?.parentElement?.querySelectorAll<HTMLElement>('button[data-step]')[to]?.focus()
  }
  return (
    <div className="flow-lane">
      <ol ref={onMove ? order : undefined} aria-label={label}>
        {cards.map((card, at) => (
          <li key={card.key} draggable={onMove !== undefined}>
            <button type="button" data-step aria-pressed={selected === at} className={card.fault === undefined ? 'flow-card' : 'flow-card flow-card-fault'} onClick={() => onSelect(at)} onKeyDown={event => onKey(event, at)}>
              <b>{at + 1}. {card.title}</b>
              <span>{card.condition}</span>
              <span>{card.people}</span>
              <small>{card.mode} · {card.late}</small>
              {card.fault !== undefined && <em>{card.fault}</em>}
            </button>
          </li>
        ))}
      </ol>
      {onAdd && <Button type="dashed" disabled={cards.length >= most} onClick={onAdd}>{cards.length >= most ? `最多${most}步` : '添加步骤'}</Button>}
    </div>
  )
}
