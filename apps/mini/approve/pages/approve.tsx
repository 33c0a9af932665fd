import type { ApprovalItem } from '@campus/approval/contract'
import { useCallback, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { sentenceOf } from '../../shell/ask.ts'
import { Bars, Card, Failed, Toast } from '../../shell/parts.tsx'
import { callerOf } from '../../shell/session.ts'
import type { CallOf, Live } from '../../shell/session.ts'
import { useLoaded } from '../../shell/use-loaded.ts'
import type { approve } from '../app.ts'

type ApproveCall = CallOf<(typeof approve)['calls']>

/** 审批中心: the one list of what waits for me, the longest first. */
export function Approve({ live, onStale }: { live: Live; onStale: () => void }): ReactNode {
  const call = useMemo<ApproveCall>(() => callerOf(live, onStale), [live, onStale])
  const [source, choose] = useState('')
  const [msg, say] = useState('')
  const { data, failure, again } = useLoaded(useCallback(() => call('list', source === '' ? {} : { source }), [call, source]))
  const decided = (word: string) => {
    say(word)
    again()
  }
  const total = data?.sources.reduce((sum, one) => sum + one.count, 0) ?? 0
  return (
    <div className="hall" data-ready="approve">
      <header className="head"><p>{live.told.school.school_name}</p><h1>审批中心</h1></header>
      <main className="page" tabIndex={-1}>
        <Card title={`待我审批 ${total}`}>
          <div className="choice" role="group" aria-label="来源">
            <button type="button" aria-pressed={source === ''} onClick={() => choose('')}>全部</button>
            {data?.sources.map(one => <button key={one.code} type="button" aria-pressed={source === one.code} onClick={() => choose(one.code)}>{one.title} {one.count}</button>)}
          </div>
          {failure !== undefined && !data && <Failed msg={failure} onAgain={again} />}
          {!data && failure === undefined && <Bars rows={4} />}
          {data?.list.length === 0 && <p className="empty">没有需要审批的事项</p>}
          <ul className="lines">{data?.list.map(item => <Item key={`${item.source}-${item.item_id}`} item={item} call={call} say={say} onDone={decided} />)}</ul>
        </Card>
      </main>
      <Toast msg={msg} onGone={() => say('')} />
    </div>
  )
}

type ItemProps = { item: ApprovalItem; call: ApproveCall; say: (msg: string) => void; onDone: (msg: string) => void }

function Item({ item, call, say, onDone }: ItemProps): ReactNode {
  const [opinion, setOpinion] = useState('')
  const [busy, setBusy] = useState(false)
  const act = async (action: ApprovalItem['actions'][number]) => {
    const words = opinion.trim()
    if (action.needs_reason && words === '') return say('请填写意见')
    setBusy(true)
    const { source, item_id, version } = item
    await call('act', { source, item_id, version, action: action.code, ...(words === '' ? {} : { opinion: words }) }).then(() => onDone(`已${action.title}`), (cause: unknown) => say(sentenceOf(cause)))
    setBusy(false)
  }
  return (
    <li className="leave-task">
      <p><b>{item.title}</b> <span className="tag">{item.source_title}</span>{item.is_late && <span className="tag tag-warn">已超时</span>}</p>
      <p>{item.about}</p>
      <label className="field"><span className="hidden">意见</span><input value={opinion} maxLength={200} placeholder="意见" onChange={event => setOpinion(event.target.value)} /></label>
      <div className="leave-acts">
        {item.actions.map(action => <button key={action.code} type="button" className={action.code === 'pass' ? 'button button-first' : 'button'} disabled={busy} onClick={() => void act(action)}>{action.title}</button>)}
      </div>
    </li>
  )
}
