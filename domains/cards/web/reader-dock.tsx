import { cardApi } from '@campus/cards/contract'
import type { CardStateOf } from '@campus/cards/contract'
import { useOwnDesk, useReader } from '@campus/devices/web'
import { call, sentenceOf } from '@kit/web'
import { Alert, Button, Input, Tag } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { stock_names } from '@campus/cards/contract'
import { state_colors, state_names } from './card-words.ts'

const light = { off: 'default', connected: 'blue', waiting: 'blue', read: 'green', error: 'red' } as const
const light_names = { off: '未连接', connected: '已连接', waiting: '请放卡', read: '读取成功', error: '错误' } as const
const kept_lines = 10

/** A number that came in by reader or by hand. `via`: 1 reader, 2 typed. */
export type Laid = { card_no: string; via: 1 | 2 }
type Props = {
  /** what is done with each card that is laid down; without it the dock only says whose it is */
  onCard?: (laid: Laid) => Promise<string>
  title: string
  /** takes back the last act */
  undo?: (() => void) | null
}
type Line = { at: number; text: string; is_fault: boolean }

/** The reader of this workstation beside a list: its light, the last number and the last ten acts (chapter 40 §5). Typing works without a reader. */
export function ReaderDock({ onCard, title, undo }: Props): ReactNode {
  const { desk } = useOwnDesk()
  const [lines, setLines] = useState<Line[]>([])
  const [found, setFound] = useState<CardStateOf | null>(null)
  const [busy, setBusy] = useState(false)
  const note = (text: string, is_fault: boolean) => setLines(before => [{ at: Date.now(), text, is_fault }, ...before].slice(0, kept_lines))
  const take = async (laid: Laid) => {
    if (busy) return
    setBusy(true)
    try {
      if (onCard) note(await onCard(laid), false)
      else setFound((await call(cardApi.state, { card_no: laid.card_no }, { quiet: true })).list[0] ?? null)
    } catch (cause) {
      note(`${laid.card_no}：${sentenceOf(cause)}`, true)
    }
    setBusy(false)
  }
  const reader = useReader(desk, ({ uid_hex }) => void take({ card_no: uid_hex, via: 1 }))
  return (
    <aside className="card-dock" aria-label="读卡器">
      <h2>{title}</h2>
      <p className="card-dock-light">
        <Tag color={light[reader.state]}><span role="status">{light_names[reader.state]}</span></Tag>
        <span>{desk?.desk_name ?? '请先在智能卡管理中选择读卡点'}</span>
      </p>
      <Button block type={reader.is_on ? 'default' : 'primary'} disabled={desk === null} onClick={() => reader.turn(!reader.is_on)}>{reader.is_on ? '停止读卡' : '开始读卡'}</Button>
      {reader.sentence !== null && <Alert type={reader.state === 'error' ? 'error' : 'info'} showIcon title={reader.sentence} action={reader.reload && <Button size="small" onClick={reader.reload}>刷新页面</Button>} />}
      <Input.Search allowClear aria-label="卡号" placeholder="无读卡器时输入卡号" maxLength={40} enterButton="确定" loading={busy} onSearch={text => text.trim() !== '' && void take({ card_no: text.trim(), via: 2 })} />
      {found && <Found card={found} />}
      {undo && <Button block onClick={undo}>撤销上一张</Button>}
      <ol className="card-dock-lines" aria-live="polite">
        {lines.map(line => <li key={line.at} className={line.is_fault ? 'card-fault' : undefined}>{line.text}</li>)}
      </ol>
    </aside>
  )
}

function Found({ card }: { card: CardStateOf }): ReactNode {
  const { holder, state, stock_state, card_no } = card
  const stock: Readonly<Record<string, string>> = stock_names
  return (
    <div className="card-found" role="status">
      <b className="kit-number">{card_no}</b>
      {holder ? <p>{holder.user_name} {holder.user_no}<br />{holder.dept_name}</p> : <p>{stock_state === null ? '未登记的卡' : stock[String(stock_state)]}</p>}
      {state !== null && <Tag color={state_colors[state]}>{state_names[state]}</Tag>}
    </div>
  )
}
