import { cardList } from '@campus/cards/contract'
import type { CardPerson, HeldCard } from '@campus/cards/contract'
import { fieldsOf } from '@kit/web'
import { Button, Tag, Tooltip } from 'antd'
import type { ReactNode } from 'react'
import { blockText, slot_names, state_colors, state_names } from './card-words.ts'

/** Fields of the list of holders; `openBlock` shows every reader of a loss. */
export function cardFields(is_parents: boolean, openBlock: (card: HeldCard, person: CardPerson) => void) {
  const described = fieldsOf(cardList, {
    user_name: { default_action: true },
    card_no: { cell: ({ cards }) => <Lines of={cards.map(card => <Tooltip key={card.card_id} title={slot_names[card.slot]}><span className="kit-number">{card.card_no}</span></Tooltip>)} /> },
    state: { cell: person => <Lines of={person.cards.length === 0 ? [<span key="none" className="card-none">未发卡</span>] : person.cards.map(card => <State key={card.card_id} card={card} open={() => openBlock(card, person)} />)} /> },
  })
  // Parents have no number of the school: they are known by the last digits of their mobile.
  return is_parents ? { ...described, of: { ...described.of, user_no: { ...described.of.user_no, label: '手机号' } } } : described
}

function Lines({ of }: { of: ReactNode[] }): ReactNode {
  return <span className="card-lines">{of}</span>
}

function State({ card, open }: { card: HeldCard; open: () => void }): ReactNode {
  return (
    <span>
      <Tag color={state_colors[card.state]}>{state_names[card.state]}</Tag>
      {card.state === '2' && card.block && <Button type="link" size="small" onClick={open}>{blockText(card.block)}</Button>}
      {card.state === '2' && !card.block && <small className="card-none"> 无设备持有</small>}
    </span>
  )
}
