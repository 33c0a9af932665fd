import type { Answers, FormField, OpenedPost } from '@campus/publishing/contract'
import { useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { Refused, sentenceOf } from '../../shell/ask.ts'
import type { PushPage } from '../page.ts'
import { reply } from '../words.ts'
import { SignaturePad } from './signature-pad.tsx'

type Props = Pick<PushPage, 'call' | 'say'> & { post: OpenedPost; subject_user_id: string; onDone: () => void }
const longest_text = 2000

/** What one child, or the reader himself, gives back: a signature, answers or words. What the server refuses stays typed. */
export function Answer({ post, subject_user_id, call, say, onDone }: Props): ReactNode {
  const [answers, setAnswers] = useState<Answers>({})
  const [text, setText] = useState('')
  const [signature, setSignature] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [wrong, setWrong] = useState('')
  const shown = post.form.filter(field => field.when === null || answers[field.when.key] === field.when.value)
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (post.reply_kind === reply.sign && signature === null) return say('请先手写签名')
    setBusy(true)
    setWrong('')
    try {
      const { late } = await call('submit', { id: post.id, subject_user_id, answers, text, signature })
      say(late ? '已提交（迟交）' : '已提交')
      onDone()
    } catch (cause) {
      setWrong(whyOf(cause))
    }
    setBusy(false)
  }
  return (
    <form className="leave-form" onSubmit={event => void send(event)}>
      {post.reply_kind === reply.form &&
        shown.map(field => (
          <Field
            key={field.key}
            field={field}
            value={answers[field.key]}
            onChange={value => setAnswers({ ...answers, [field.key]: value })}
          />
        ))}
      {post.reply_kind === reply.text && (
        <label className="field">
          回复
          <textarea required rows={4} maxLength={longest_text} value={text} onChange={event => setText(event.target.value)} />
        </label>
      )}
      {post.reply_kind === reply.sign && <SignaturePad onChange={setSignature} />}
      {wrong !== '' && (
        <p className="entry-msg" role="alert">
          {wrong}
        </p>
      )}
      <button type="submit" className="button button-first" disabled={busy}>
        提交
      </button>
    </form>
  )
}

/** The sentence, and of a form what is wrong in it. */
function whyOf(cause: unknown): string {
  const data = cause instanceof Refused ? cause.data : null
  if (typeof data !== 'object' || data === null || !('errors' in data) || !Array.isArray(data.errors)) return sentenceOf(cause)
  const told = data.errors.flatMap((one: unknown) => (typeof one === 'object' && one !== null && 'msg' in one ? [String(one.msg)] : []))
  return told.length > 0 ? told.join('；') : sentenceOf(cause)
}

type FieldProps = { field: FormField; value: string | string[] | undefined; onChange: (value: string | string[]) => void }
const input_types: Readonly<Record<string, string>> = { number: 'number', date: 'date' }

function Field({ field, value, onChange }: FieldProps): ReactNode {
  const label = `${field.label}${field.required ? ' *' : ''}`
  const text = typeof value === 'string' ? value : ''
  if (field.type === 'note') return <p className="push-facts">{field.label}</p>
  if (field.type === 'single' || field.type === 'multi') return <Choices field={field} label={label} value={value} onChange={onChange} />
  return (
    <label className="field">
      {label}
      {field.type === 'area' ? (
        <textarea
          rows={3}
          required={field.required}
          maxLength={longest_text}
          value={text}
          onChange={event => onChange(event.target.value)}
        />
      ) : (
        <input
          type={input_types[field.type] ?? 'text'}
          required={field.required}
          maxLength={longest_text}
          value={text}
          onChange={event => onChange(event.target.value)}
        />
      )}
    </label>
  )
}

function Choices({ field, label, value, onChange }: FieldProps & { label: string }): ReactNode {
  const chosen = [value ?? []].flat()
  const toggle = (option: string) => {
    if (field.type === 'single') onChange(option)
    else onChange(chosen.includes(option) ? chosen.filter(one => one !== option) : [...chosen, option])
  }
  return (
    <fieldset className="leave-choice">
      <legend>
        {label}
        {field.type === 'multi' && '（可多选）'}
      </legend>
      <div className="choice">
        {field.options.map(option => (
          <button key={option} type="button" aria-pressed={chosen.includes(option)} onClick={() => toggle(option)}>
            {option}
          </button>
        ))}
      </div>
    </fieldset>
  )
}
