import { useState } from 'react'
import type { ReactNode } from 'react'
import { sentenceOf } from '../../shell/ask.ts'
import type { AttendPage } from '../page.ts'
import { stateName } from '../page.ts'

/** States that a row can be corrected to from the phone, and reasons, in the words of the console. */
const wanted = [1, 2, 5, 7, 8] as const
const reasons = [
  ['forgot', '忘记打卡'],
  ['device', '设备原因'],
  ['card', '卡或人脸异常'],
  ['activity', '集体活动'],
  ['leave', '请假未登记'],
  ['mistake', '误判'],
  ['other', '其他'],
] as const
const least_words = 2
const states = wanted.map(one => [one, stateName(one)] as const)
type Wish = {
  to_state: number
  reason_code: (typeof reasons)[number][0]
  reason_text: string
  evidence_kind: 'teacher' | 'device_fault' | 'other'
}

type Props = Pick<AttendPage, 'say'> & { ok: string; send: (wish: Wish) => Promise<unknown>; onSent: () => void; onClose: () => void }

/** What a row should say instead, and why: a correction by a teacher, or a request by a family or a member of staff. */
export function WishForm({ say, ok, send, onSent, onClose }: Props): ReactNode {
  const [to_state, setState] = useState<number>(wanted[0])
  const [reason_code, setReason] = useState<Wish['reason_code']>('forgot')
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const reason_text = text.trim()
  const submit = async () => {
    setBusy(true)
    const wish = {
      to_state,
      reason_code,
      reason_text,
      evidence_kind: reason_code === 'device' ? ('device_fault' as const) : ('other' as const),
    }
    try {
      await send(wish)
      say(`${ok}成功`)
      onClose()
      onSent()
    } catch (cause) {
      say(sentenceOf(cause))
    }
    setBusy(false)
  }
  return (
    <div className="leave-form">
      <Choice label="应为" value={to_state} options={states} onChoose={setState} />
      <Choice label="原因" value={reason_code} options={reasons} onChoose={setReason} />
      <label className="field">
        说明
        <textarea rows={2} maxLength={200} placeholder="至少2个字" value={text} onChange={event => setText(event.target.value)} />
      </label>
      <div className="leave-acts">
        <button type="button" className="button" onClick={onClose}>
          取消
        </button>
        <button
          type="button"
          className="button button-first"
          disabled={busy || reason_text.length < least_words}
          onClick={() => void submit()}
        >
          {ok}
        </button>
      </div>
    </div>
  )
}

type ChoiceProps<V> = { label: string; value: V; options: readonly (readonly [V, string])[]; onChoose: (value: V) => void }

function Choice<V extends string | number>({ label, value, options, onChoose }: ChoiceProps<V>): ReactNode {
  return (
    <fieldset className="leave-choice">
      <legend>{label}</legend>
      <div className="choice">
        {options.map(([key, name]) => (
          <button key={key} type="button" aria-pressed={key === value} onClick={() => onChoose(key)}>
            {name}
          </button>
        ))}
      </div>
    </fieldset>
  )
}
