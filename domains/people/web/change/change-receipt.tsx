import { change_state_names, changeApi } from '@campus/people/contract'
import type { ChangeReceipt } from '@campus/people/contract'
import { Can, instantText, serverNow } from '@kit/web'
import { Button, Input, Tag } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { SubjectTable } from './change-preview.tsx'
import { effect_colors, effect_names, kindName, state_colors, undoText } from './change-words.ts'
import { EffectHand } from './effect-hand.tsx'
import type { Hand } from './effect-hand.tsx'
import './change.css'

// The field takes the place of the button that was pressed, so it takes the focus over.
const takes_focus = { autoFocus: true }

/** What became of a command and of everything that follows from it. */
export function Receipt({ receipt, hand }: { receipt: ChangeReceipt; hand?: Hand }): ReactNode {
  const { kind, state, effective_on, subject_count, reason, to_where, created_by, created_at, counts } = receipt
  const facts = [
    ['生效日期', effective_on],
    ['人数', String(subject_count)],
    ['办理人', created_by],
    ['办理时间', instantText(created_at)],
    ['撤销人', receipt.undone_by],
  ] as const
  const sentences = [
    ['去向', to_where],
    ['原因', reason],
    ['撤销原因', receipt.undo_reason],
  ] as const
  return (
    <>
      <p className="change-head">
        <b>{kindName(kind)}</b> <Tag color={state_colors[state]}>{change_state_names[state]}</Tag>
        <span>{countsText(receipt.effects.length, counts)}</span>
      </p>
      <dl className="change-facts">
        {[...facts, ...sentences].map(([label, text], at) => text && (
          <div key={label} className={at < facts.length ? undefined : 'change-wide'}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <SubjectTable subjects={receipt.subjects} facet={kind.startsWith('STAFF_') ? 'staff' : 'student'} />
      <h3 className="change-title">影响</h3>
      <Effects effects={receipt.effects} hand={receipt.state === 'applied' ? hand : undefined} />
    </>
  )
}

function countsText(total: number, { done, waiting, failed }: ChangeReceipt['counts']): string {
  const parts = [`${total} 项影响`, `${done} 项完成`, ...(waiting > 0 ? [`${waiting} 项等待`] : []), ...(failed > 0 ? [`${failed} 项失败`] : [])]
  return parts.join('，')
}

const by_urgency = ['failed', 'waiting', 'running', 'planned', 'done', 'undone'] as const

/** Effects by what they do, first those that somebody has to look at; those of single persons are counted, those with nothing to do stand in one line. */
function Effects({ effects, hand }: Pick<ChangeReceipt, 'effects'> & { hand: Hand | undefined }): ReactNode {
  const idle = effects.filter(({ state, detail }) => state === 'skipped' && detail === null)
  const groups = [...Map.groupBy(effects.filter(effect => !idle.includes(effect)), effect => `${effect.domain} ${effect.effect_code} ${effect.state}`)].flatMap(([key, [first, ...more]]) => (first ? [{ key, first, more }] : []))
  const shown = [...by_urgency, 'skipped' as const].flatMap(state => groups.filter(({ first }) => first.state === state))
  return (
    <ul className="change-effects">
      {shown.map(({ key, first, more }) => (
        <li key={key}>
          <Tag color={effect_colors[first.state]}>{effect_names[first.state]}</Tag>
          <span>
            <b>{first.title}</b> {more.length > 0 && <span className="kit-number">{more.length + 1} 项</span>}
            {!first.undoable && <small className="change-final">不可撤销</small>}
            {first.detail !== null && <small className="change-hint">{first.detail}</small>}
            {hand && <EffectHand effect={first} hand={hand} />}
          </span>
        </li>
      ))}
      {idle.length > 0 && <li><Tag>{effect_names.skipped}</Tag><span className="change-hint">{[...new Set(idle.map(effect => effect.title))].join('、')}</span></li>}
    </ul>
  )
}

/** Taking a command back while its window is open; the reason is asked in place. */
export function UndoBar({ receipt, busy, undo }: { receipt: ChangeReceipt; busy: boolean; undo: (reason: string) => void }): ReactNode {
  const [reason, setReason] = useState<string | null>(null)
  const left = undoText(receipt, serverNow())
  if (left === undefined) return null
  return (
    <Can code={changeApi.undo}>
      <div className="change-undo">
        {reason === null ? (
          <Button onClick={() => setReason('')}>{receipt.kind === 'IN' || receipt.kind === 'ENROL' ? '误录入撤销' : '撤销'}</Button>
        ) : (
          <>
            <Input aria-label="撤销原因" placeholder="请填写撤销原因" maxLength={200} {...takes_focus} value={reason} onChange={event => setReason(event.target.value)} />
            <Button danger type="primary" loading={busy} disabled={reason.trim() === ''} onClick={() => undo(reason.trim())}>
              确认撤销
            </Button>
          </>
        )}
        <span className="change-hint">{left}</span>
      </div>
    </Can>
  )
}
