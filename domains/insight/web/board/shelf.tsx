import type { CardFact } from '@kit/contract'
import { most_cards } from '@kit/contract'
import { AppDrawer } from '@kit/web'
import { Button, Empty } from 'antd'
import type { ReactNode } from 'react'

type Props = { open: boolean; facts: readonly CardFact[]; full: boolean; onAdd: (fact: CardFact) => void; onClose: () => void }

/** 组件库: what may still be put on the board, by its kind. What was added stands on the board at once, with its figures. */
export function Shelf({ open, facts, full, onAdd, onClose }: Props): ReactNode {
  const shelves = [...Map.groupBy(facts, ({ shelf }) => shelf)]
  return (
    <AppDrawer title="组件库" open={open} onClose={onClose} size={380} mask={false}>
      {full && <p className="insight-hint" role="alert">{`看板最多放置${most_cards}个组件，请先移除不需要的组件`}</p>}
      {shelves.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="您可以使用的组件都已在看板上" />}
      {shelves.map(([shelf, cards]) => (
        <section key={shelf} className="insight-shelf" aria-label={shelf}>
          <h3>{shelf}</h3>
          <ul>
            {cards.map(fact => (
              <li key={fact.code}>
                <b>{fact.title}</b>
                <span>{fact.sentence}</span>
                <Button size="small" disabled={full} aria-label={`添加${fact.title}`} onClick={() => onAdd(fact)}>添加</Button>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </AppDrawer>
  )
}
