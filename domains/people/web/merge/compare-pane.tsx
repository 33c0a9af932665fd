import { SwapOutlined } from '@ant-design/icons'
import type { MergePerson, MergePreview } from '@campus/people/contract'
import { PartState } from '@kit/web/part'
import { Alert, Button, Radio } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { FieldTable } from './field-table.tsx'
import { movesByDomain } from './merge-words.ts'
import { useMergePair } from './use-merge.ts'
import type { Choices, PairOf, Side } from './use-merge.ts'

type Props = { pair: PairOf; swap: () => void; done: () => void }

/** Both files beside each other: what is chosen, what must be chosen, what moves. The left one stays. */
export function ComparePane({ pair, swap, done }: Props): ReactNode {
  const { query, chosen, choose, merge } = useMergePair(pair)
  const [confirming, setConfirming] = useState(false)
  const { data } = query
  if (!data) return <section className="merge-compare" aria-label="对比" data-ready={query.error ? 'failed' : undefined}><PartState query={query} rows={10} /></section>
  const open = data.conflicts.filter(({ code }) => chosen[code] === undefined)
  return (
    <section className="merge-compare" aria-label="对比" data-ready="preview">
      <div className="merge-scroll">
        <div className="merge-people">
          <PersonCard title="保留" person={data.keep} />
          <Button icon={<SwapOutlined aria-hidden />} disabled={!data.can_swap} title={data.can_swap ? '左右互换' : '家长只能并入教职工'} aria-label="左右互换" onClick={swap} />
          <PersonCard title="并入后不再单独存在" person={data.drop} />
        </div>
        {data.conflicts.length > 0 && <Conflicts conflicts={data.conflicts} chosen={chosen} choose={choose} />}
        <FieldTable fields={data.fields} chosen={chosen} choose={choose} />
        <Moves moves={data.moves} name={data.keep.user_name} />
      </div>
      <div className="merge-footer">
        <span role="status">{open.length > 0 ? `还有 ${open.length} 项必须选择` : '合并后 30 天内可以撤销'}</span>
        <Button type="primary" disabled={open.length > 0} onClick={() => setConfirming(true)}>合并</Button>
      </div>
      {confirming && <ConfirmDialog preview={data} merge={merge} onClose={() => setConfirming(false)} done={done} />}
    </section>
  )
}

function PersonCard({ title, person }: { title: string; person: MergePerson }): ReactNode {
  const { user_name, user_no, label, mobile } = person
  return (
    <div className="merge-person">
      <small>{title}</small>
      <b>{user_name}</b>
      <span>{[user_no, label, mobile].filter(Boolean).join(' · ') || '—'}</span>
    </div>
  )
}

function Conflicts({ conflicts, chosen, choose }: { conflicts: MergePreview['conflicts']; chosen: Choices; choose: (code: string, side: Side) => void }): ReactNode {
  return (
    <Alert
      type="warning" showIcon title="必须选择：下列事项一个人只能有一项"
      description={
        <ul className="merge-conflicts">
          {conflicts.map(({ code, title, keep, drop }) => (
            <li key={code}>
              <span id={`merge-${code}`}>{title}</span>
              <Radio.Group aria-labelledby={`merge-${code}`} value={chosen[code] ?? null} onChange={event => choose(code, event.target.value === 'drop' ? 'drop' : 'keep')}>
                <Radio value="keep">{keep}</Radio>
                <Radio value="drop">{drop}</Radio>
              </Radio.Group>
            </li>
          ))}
        </ul>
      }
    />
  )
}

function Moves({ moves, name }: { moves: MergePreview['moves']; name: string }): ReactNode {
  return (
    <div className="merge-moves">
      <h2>将转到“{name}”名下</h2>
      {moves.length === 0 && <p>没有需要转移的记录，登录账号和身份一并合并。</p>}
      {movesByDomain(moves).map(({ title, lines }) => (
        <p key={title}><b>{title}</b>{lines.map(line => <span key={line.title}>{line.title} {line.count}</span>)}</p>
      ))}
    </div>
  )
}
