import type { Reply } from '@kit/contract'
import type { cardApi } from '@campus/cards/contract'
import { useCallback, useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { sentenceOf } from '../../shell/ask.ts'
import { Bars, Card, Failed } from '../../shell/parts.tsx'
import { useLoaded } from '../../shell/use-loaded.ts'
import type { HallPage } from '../page.ts'

type Held = Reply<typeof cardApi.selfCards>['list'][number]['cards'][number]
const states: Readonly<Record<string, string>> = { 1: '正常', 2: '已挂失', 5: '冻结', 6: '过期' }
type Reason = 1 | 2 | 3
const reasons: readonly [code: Reason, text: string][] = [[1, '遗失'], [2, '被盗'], [3, '损坏']]
const [normal, lost, frozen] = ['1', '2', '5'] as const
const look_ms = 2000

/** 校园卡: my card and my children's; a lost one is blocked at once, at any hour, and the page says how many readers have confirmed. */
export function Cards({ call, go, say }: HallPage): ReactNode {
  const fetchIt = useCallback(() => call('cards', {}), [call])
  const { data, failure, again } = useLoaded(fetchIt)
  const [asked, ask] = useState<Held | null>(null)
  const [busy, setBusy] = useState(false)
  const blocks = data?.list.some(person => person.cards.some(card => card.block !== null && card.block.done < card.block.total)) ?? false
  useAgain(blocks, again)
  const lose = async (card: Held, lost_reason: Reason) => {
    setBusy(true)
    try {
      await call('loseCard', { card_id: card.card_id, lost_reason })
      say('已挂失')
      ask(null)
    } catch (cause) {
      say(sentenceOf(cause))
    }
    setBusy(false)
    again()
  }
  if (!data) return failure === undefined ? <Bars rows={4} /> : <Failed msg={failure} onAgain={again} />
  return (
    <>
      <button type="button" className="link" onClick={() => go('mine')}>返回我的</button>
      {data.list.length === 0 && <p className="empty">还没有校园卡</p>}
      {data.list.map(person => (
        <Card key={person.user_id} title={person.is_child ? `${person.user_name}的校园卡` : '我的校园卡'}>
          {person.cards.length === 0 && <p className="empty">还没有发卡</p>}
          <ul className="lines">
            {person.cards.map(card => (
              <li key={card.card_id} className="line">
                <span className="words"><b>{card.card_no}</b><small role={card.block ? 'status' : undefined}>{aboutOf(card)}</small></span>
                {data.enabled && (card.state === normal || card.state === frozen) && <button type="button" className="button" onClick={() => ask(card)}>挂失</button>}
                {card.state === lost && <span className="tag tag-warn">已挂失</span>}
              </li>
            ))}
          </ul>
        </Card>
      ))}
      {!data.enabled && <p className="empty">学校未开通自助挂失，请联系班主任或卡务老师</p>}
      {asked && <Ask card={asked} busy={busy} onLose={reason => void lose(asked, reason)} onCancel={() => ask(null)} />}
    </>
  )
}

function Ask({ card, busy, onLose, onCancel }: { card: Held; busy: boolean; onLose: (reason: Reason) => void; onCancel: () => void }): ReactNode {
  const [reason, setReason] = useState<Reason>(1)
  return (
    <Card title={`挂失 ${card.card_no}`}>
      <p>挂失后所有读卡设备停止识别这张卡。找到后请联系班主任或卡务老师解挂。</p>
      <div className="choice" role="group" aria-label="原因">
        {reasons.map(([code, text]) => <button key={code} type="button" aria-pressed={reason === code} onClick={() => setReason(code)}>{text}</button>)}
      </div>
      <div className="consent-answers">
        <button type="button" className="button" disabled={busy} onClick={onCancel}>取消</button>
        <button type="button" className="button button-first" disabled={busy} onClick={() => onLose(reason)}>确定挂失</button>
      </div>
    </Card>
  )
}

function aboutOf({ state, block, valid_to }: Held): string {
  if (state !== lost) return [states[state], valid_to === null ? '长期有效' : `有效期至${valid_to}`].join(' · ')
  if (block === null || block.total === 0) return '没有设备保存这张卡'
  const slowest = block.slowest_ms === null ? '' : `，最慢 ${(block.slowest_ms / 1000).toFixed(1)} s`
  const offline = block.offline > 0 ? `，${block.offline}台离线，仍可能放行` : ''
  return `已阻断 ${block.done}/${block.total} 台${slowest}${offline}`
}

/** Asks again while readers still have to confirm. */
function useAgain(waits: boolean, again: () => void): void {
  useEffect(() => {
    if (!waits) return
    const timer = window.setInterval(again, look_ms)
    return () => window.clearInterval(timer)
  }, [waits, again])
}
