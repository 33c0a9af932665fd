import type { CardFact, Placed } from '@kit/contract'
import { useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { BoardHandles } from './board-handles.tsx'
import { CardFrame } from './card-frame.tsx'
import type { CardView } from './card-views.ts'

type Props = {
  /** the cards that may stand here; places of others are not drawn */
  views: readonly CardView[]
  items: readonly Placed[]
  /** of the product, for reports of faults */
  version: string
  /** the way from a card to the page with its rows */
  more?: (fact: CardFact) => ReactNode
  /** given while the layout is being arranged */
  onChange?: (items: Placed[]) => void
}

/** The grid of a dashboard: twelve columns, every card in its own frame. While it is arranged, cards are moved and sized by pointer and by keys. */
export function Board({ views, items, version, more, onChange }: Props): ReactNode {
  const grid = useRef<HTMLDivElement>(null)
  const [said, say] = useState('')
  const drawn = items.flatMap(item => {
    const view = views.find(({ fact }) => fact.code === item.code)
    return view ? [{ item, view }] : []
  })
  return (
    <div ref={grid} className="board" data-editing={onChange !== undefined}>
      {drawn.map(({ item, view }) => (
        <div key={item.code} className="board-cell" style={{ gridColumn: `${item.x + 1} / span ${item.w}`, gridRow: `${item.y + 1} / span ${item.h}` }}>
          <div className="board-inside" inert={onChange !== undefined}>
            <CardFrame view={view} version={version} more={more?.(view.fact)} />
          </div>
          {onChange && <BoardHandles item={item} fact={view.fact} items={items} grid={grid} onChange={onChange} say={say} />}
        </div>
      ))}
      <p className="kit-hidden" role="status">{said}</p>
    </div>
  )
}
