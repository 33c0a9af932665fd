import { useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { CaptchaField, useCaptcha } from '../captcha-field.tsx'
import { errorsOf } from '../visit.ts'
import type { Draft } from '../visit.ts'
import { postVisit } from './wire.ts'
import type { Apply, Book, Pass } from './wire.ts'

const school_zone = '+08:00'
const minute_ms = 60_000

type Props = { token: string; book: Book; booked: (visit: Pass) => void }

/** What a visitor fills in: who he is, whom he comes to, when. */
export function BookingForm({ token, book, booked }: Props): ReactNode {
  const [draft, setDraft] = useState<Draft>(() => firstDraft(book))
  const [errors, setErrors] = useState<Draft>({})
  const [refused, setRefused] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const captcha = useCaptcha()
  const change = (name: string, text: string) => {
    const reason = name === 'reason_code' ? book.reasons.find(one => one.reason_code === text) : undefined
    setDraft({ ...draft, [name]: text, ...(reason ? { end: later(draft['begin'] ?? book.open_from, reason.default_minutes) } : {}) })
  }
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    const answer = await postVisit(token, { ...bodyOf(draft), ...captcha.proof() })
    setBusy(false)
    if (answer.kind === 'ok' && answer.data.visit) return booked(answer.data.visit)
    if (answer.kind === 'ok') return undefined
    const told = answer.kind === 'refused' ? errorsOf(answer.data) : {}
    const shown: Draft = { ...told, ...(told['begin_at'] ? { day: told['begin_at'] } : {}), ...(told['end_at'] ? { end: told['end_at'] } : {}) }
    setErrors(shown)
    setRefused(answer.msg)
    if (answer.kind === 'refused') await captcha.renew()
    document.getElementById(Object.keys(shown)[0] ?? 'captcha')?.focus()
    return undefined
  }
  const field = (name: string, label: string, more: FieldProps = {}) => <Field key={name} name={name} label={label} value={draft[name] ?? ''} error={errors[name]} change={change} {...more} />
  return (
    <form noValidate onSubmit={event => void send(event)} aria-label="预约表">
      {field('visitor_name', '您的姓名', { required: true, max: 50 })}
      {field('mobile', '手机号', { required: true, mode: 'numeric', max: 20, note: '同一手机号每天最多预约5次' })}
      {field('company', '单位', { required: book.need_company, max: 60 })}
      {field('receiver', '被访人姓名', { required: true, max: 50, note: '请填写完整姓名' })}
      {field('receiver_dept', '被访人部门', { required: true, max: 60, note: '如：教务处' })}
      <ReasonField reasons={book.reasons} value={draft['reason_code'] ?? ''} error={errors['reason_code']} change={text => change('reason_code', text)} />
      {field('day', '来访日期', { required: true, type: 'date', note: `可预约${book.advance_days}天内，开放时间 ${book.open_from}–${book.open_to}` })}
      <div className="book-pair">{field('begin', '到校时间', { required: true, type: 'time' })}{field('end', '离校时间', { required: true, type: 'time' })}</div>
      <div className="book-pair">{field('followers', `同行人数（最多${book.follower_max}）`, { mode: 'numeric', max: 2 })}{field('plate', '车牌号', { required: book.need_plate, max: 8 })}</div>
      {field('reason_text', '说明', { max: 100 })}
      <CaptchaField desk={captcha} error={errors['captcha']} />
      {refused !== null && <p className="visit-refused" role="alert">{refused}</p>}
      <button type="submit" className="visit-main" disabled={busy}>{busy ? '正在提交…' : '提交预约'}</button>
    </form>
  )
}

function bodyOf(draft: Draft): Omit<Apply, 'cap_key' | 'captcha'> {
  const of = (name: string) => (draft[name] ?? '').trim()
  return {
    act: 'apply', visitor_name: of('visitor_name'), mobile: of('mobile'), company: of('company'), receiver: of('receiver'), receiver_dept: of('receiver_dept'), reason_code: of('reason_code'), reason_text: of('reason_text'),
    followers: Number(of('followers')) || 0, plate: of('plate'), begin_at: `${of('day')}T${of('begin')}:00${school_zone}`, end_at: `${of('day')}T${of('end')}:00${school_zone}`,
  }
}

type FieldProps = { required?: boolean; type?: 'text' | 'date' | 'time'; mode?: 'text' | 'numeric'; max?: number; note?: string }

function Field({ name, label, value, error, change, required = false, type = 'text', mode = 'text', max, note = '' }: FieldProps & { name: string; label: string; value: string; error: string | undefined; change: (name: string, text: string) => void }): ReactNode {
  return (
    <div className="visit-field">
      <label htmlFor={name}>{label}{required && <b aria-hidden="true">*</b>}</label>
      <input id={name} type={type} inputMode={mode} maxLength={max} value={value} required={required} autoComplete="off" aria-invalid={error !== undefined} aria-describedby={`${name}-about`} onChange={event => change(name, event.target.value)} />
      <p id={`${name}-about`}>{error ? <span className="visit-error">{error}</span> : note}</p>
    </div>
  )
}

function ReasonField({ reasons, value, error, change }: { reasons: Book['reasons']; value: string; error: string | undefined; change: (text: string) => void }): ReactNode {
  return (
    <div className="visit-field">
      <label htmlFor="reason_code">来访事由<b aria-hidden="true">*</b></label>
      <select id="reason_code" value={value} aria-invalid={error !== undefined} onChange={event => change(event.target.value)}>
        <option value="">请选择</option>
        {reasons.map(one => <option key={one.reason_code} value={one.reason_code}>{one.reason_name}</option>)}
      </select>
      <p>{error && <span className="visit-error">{error}</span>}</p>
    </div>
  )
}

/** Today, from the next full ten minutes on, or the beginning of the opening hours. */
function firstDraft({ open_from, open_to }: Book): Draft {
  const local = new Date(Date.now() + 480 * minute_ms + 10 * minute_ms)
  const clock = `${local.toISOString().slice(11, 15)}0`
  const is_open = clock >= open_from && later(clock, 60) <= open_to
  const day = is_open || clock < open_from ? local : new Date(local.getTime() + 1440 * minute_ms)
  const begin = is_open ? clock : open_from
  return { day: day.toISOString().slice(0, 10), begin, end: later(begin, 60), followers: '0' }
}

/** A time of the day so many minutes later, on the same day. */
function later(clock: string, minutes: number): string {
  const [hour = 0, minute = 0] = clock.split(':').map(Number)
  const at = Math.min(hour * 60 + minute + minutes, 1439)
  return `${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`
}
