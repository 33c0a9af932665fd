import { change_state_names, changeApi } from '@campus/people/contract'
import type { ChangeReceipt } from '@campus/people/contract'
import { Can, instantText, serverNow } from '@kit/web'
import { Button, Input, Tag } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { SubjectTable } from './change-preview.tsx'
import { expiryText, kindName, state_colors, undoText } from './change-words.ts'
import { Effects } from './effects.tsx'
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
    ['离校到失效', expiryText(receipt)],
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
      <div className="change-sides">
        <SubjectTable subjects={receipt.subjects} facet={kind.startsWith('STAFF_') ? 'staff' : 'student'} />
        <div>
          <h3 className="change-title">影响</h3>
          <Effects effects={receipt.effects} hand={receipt.state === 'applied' ? hand : undefined} />
        </div>
      </div>
    </>
  )
}

function countsText(total: number, { done, waiting, failed }: ChangeReceipt['counts']): string {
  const parts = [`${total} 项影响`, `${done} 项完成`, ...(waiting > 0 ? [`${waiting} 项等待`] : []), ...(failed > 0 ? [`${failed} 项失败`] : [])]
  return parts.join('，')
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
