import type { LeaveFile } from '@campus/leave/contract'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { sentenceOf } from '../../shell/ask.ts'
import type { LeavePage } from '../page.ts'
import { timeText } from '../words.ts'

type Props = Pick<LeavePage, 'call' | 'say'> & { file: LeaveFile; onSent: () => void }
const min_words = 2
/** What a field of date and time holds: 2026-11-20T10:00. */
const local = (instant: string | undefined) => (instant === undefined ? '' : timeText(instant).replace(' ', 'T'))

type Values = { begin: string; end: string; reason: string }

/** 改期: other times are asked for; until they are agreed to, the present ones hold (chapter 70 §1.1 leave_version). */
export function Change(props: Props): ReactNode {
  const [opened, open] = useState(false)
  if (opened) return <ChangeForm {...props} onBack={() => open(false)} />
  return <div className="leave-acts"><button type="button" className="button" onClick={() => open(true)}>改期</button></div>
}

function ChangeForm({ call, say, file, onSent, onBack }: Props & { onBack: () => void }): ReactNode {
  const spans = file.members[0]?.spans ?? []
  const [busy, setBusy] = useState(false)
  const [values, setValues] = useState<Values>({ begin: local(spans[0]?.begin_at), end: local(spans.at(-1)?.end_at), reason: '' })
  const missing = values.begin === '' || values.end <= values.begin || values.reason.trim().length < min_words
  const send = async () => {
    setBusy(true)
    const asked = [{ begin: `${values.begin}:00+08:00`, end: `${values.end}:00+08:00` }]
    try {
      await call('change', { leave_id: file.leave_id, reason: values.reason.trim(), spans: asked })
      say('已提交，等待审批')
      onSent()
    } catch (cause) {
      say(sentenceOf(cause))
    }
    setBusy(false)
  }
  return (
    <form className="leave-form" onSubmit={event => { event.preventDefault(); void send() }}>
      <p className="empty">新的时间须重新审批，审批通过前仍按原时间执行。</p>
      <Fields values={values} set={patch => setValues(before => ({ ...before, ...patch }))} />
      <div className="leave-acts">
        <button type="button" className="button" onClick={onBack}>不改了</button>
        <button type="submit" className="button button-first" disabled={missing || busy}>提交改期</button>
      </div>
    </form>
  )
}

function Fields({ values: { begin, end, reason }, set }: { values: Values; set: (patch: Partial<Values>) => void }): ReactNode {
  return (
    <>
      <label className="field">开始时间<input type="datetime-local" required value={begin} onChange={event => set({ begin: event.target.value })} /></label>
      <label className="field">结束时间
        <input type="datetime-local" required min={begin} value={end} onChange={event => set({ end: event.target.value })} />
      </label>
      <label className="field">原因
        <textarea required rows={2} maxLength={200} value={reason} onChange={event => set({ reason: event.target.value })} />
      </label>
    </>
  )
}
