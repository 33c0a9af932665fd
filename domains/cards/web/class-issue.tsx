import { cardApi } from '@campus/cards/contract'
import type { CardPerson } from '@campus/cards/contract'
import { AppDrawer, call } from '@kit/web'
import { Loaded, useCall } from '@kit/web/part'
import { Progress } from 'antd'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { mainCard } from './card-words.ts'
import { ReaderDock } from './reader-dock.tsx'
import type { Laid } from './reader-dock.tsx'
import { useCardCalls } from './use-card-calls.ts'

type Props = { kind: number; dept_id: string; dept_name: string; onClose: () => void; onDone: () => void }

/** 连续发卡: the pupils of a class as tiles; each card that is laid down goes to the next one without a card, → skips one (chapter 40 §5). */
export function ClassIssue({ kind, dept_id, dept_name, onClose, onDone }: Props): ReactNode {
  const query = useCall(cardApi.list, { kind, dept_id, include_sub: '1', page_size: 300 })
  const leave = () => {
    onDone()
    onClose()
  }
  return (
    <AppDrawer open size="100vw" title={`连续发卡 · ${dept_name}`} onClose={leave}>
      <Loaded query={query} empty="该范围内没有人员">{({ list }) => <Tiles people={list} />}</Loaded>
    </AppDrawer>
  )
}

function Tiles({ people }: { people: readonly CardPerson[] }): ReactNode {
  const calls = useCardCalls()
  const [issued, setIssued] = useState<ReadonlyMap<string, { card_no: string; op_id: string }>>(new Map())
  const [skipped, setSkipped] = useState<ReadonlySet<string>>(new Set())
  const has = (person: CardPerson) => issued.has(person.user_id) || mainCard(person) !== undefined
  const next = people.find(person => !has(person) && !skipped.has(person.user_id))
  const last = [...issued].at(-1)
  const done = people.filter(has).length
  const skip = () => next && setSkipped(before => new Set([...before, next.user_id]))
  useSkipKey(skip)
  const give = async ({ card_no, via }: Laid) => {
    if (!next) return '全部已发卡'
    const { op_id, card_no: number } = await call(calls.issue, { user_id: next.user_id, card_no, via }, { quiet: true })
    setIssued(before => new Map([...before, [next.user_id, { card_no: number, op_id }]]))
    return `${next.user_name} ${number}`
  }
  const undo = async () => {
    if (!last) return
    await call(cardApi.undo, { op_id: last[1].op_id })
    setIssued(before => new Map([...before].filter(([user_id]) => user_id !== last[0])))
  }
  return (
    <div className="card-class">
      <div>
        <Progress aria-label="已发卡" percent={Math.round((done / Math.max(1, people.length)) * 100)} format={() => `${done}/${people.length}`} />
        <p role="status">{next ? `请放卡：${next.user_name}（按 → 跳过）` : '全部已发卡'}</p>
        <ul className="card-tiles">
          {people.map(person => (
            <li key={person.user_id} className={person === next ? 'card-next' : has(person) ? 'card-done' : undefined}>
              <button type="button" onClick={() => setSkipped(new Set(people.slice(0, people.indexOf(person)).filter(one => !has(one)).map(one => one.user_id)))}>
                <b>{person.user_name}</b><span>{person.user_no}</span><span className="kit-number">{issued.get(person.user_id)?.card_no ?? mainCard(person)?.card_no ?? '未发卡'}</span>
              </button>
            </li>
          ))}
        </ul>
      </div>
      <ReaderDock title="放卡即发" onCard={give} undo={last ? () => void undo() : null} />
    </div>
  )
}

/** → skips whom no card is laid down for, unless somebody types. */
function useSkipKey(skip: () => void): void {
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if (event.key === 'ArrowRight' && !(event.target instanceof HTMLInputElement)) skip()
    }
    document.addEventListener('keydown', hear)
    return () => document.removeEventListener('keydown', hear)
  })
}
