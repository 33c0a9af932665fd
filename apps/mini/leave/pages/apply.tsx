import type { LeaveDraft, LeaveOptions, LeavePreview, Subject } from '@campus/leave/contract'
import { useCallback, useState } from 'react'
import type { ReactNode } from 'react'
import { sentenceOf } from '../../shell/ask.ts'
import { Bars, Card, Failed } from '../../shell/parts.tsx'
import { useLoaded } from '../../shell/use-loaded.ts'
import type { LeavePage } from '../page.ts'
import { Proofs } from './proofs.tsx'
import { schoolToday, spanText, typeName } from '../words.ts'

type Options = LeaveOptions & { subjects: Subject[]; pickups: { child_id: string; user_id: string; user_name: string }[] }
type Mode = 'day' | 'am' | 'pm' | 'time'
type Values = { user_id: string; form_id: string; leave_type: string; reason_code: string; reason: string; mode: Mode; from: string; to: string; begin: string; end: string; pickup_id: string; proofs: string[] }
const modes: readonly [Mode, string][] = [['day', '整天'], ['am', '上午'], ['pm', '下午'], ['time', '按时间']]
const titles = ['请假人和假别', '时间', '原因']
const fetched = 2
const last = 2

/** 请假申请 in three steps, which end with what will follow (chapter 70 §5). */
export function Apply({ live, call, say, onSent }: LeavePage & { onSent: () => void }): ReactNode {
  const { data, failure, again } = useLoaded(useCallback(() => call('options', {}), [call]))
  if (!data) return failure === undefined ? <Bars rows={5} /> : <Failed msg={failure} onAgain={again} />
  const able = data.subjects.filter(one => one.may_apply)
  if (able.length === 0) return <Card title="请假申请"><p className="empty">{data.subjects[0]?.why_not ?? '没有可以请假的人员'}</p></Card>
  return <Steps live={live} call={call} say={say} onSent={onSent} options={{ ...data, subjects: able }} />
}

type StepsProps = LeavePage & { onSent: () => void; options: Options }

function Steps({ live, call, say, onSent, options }: StepsProps): ReactNode {
  const today = schoolToday()
  const [step, go] = useState(0)
  const [busy, setBusy] = useState(false)
  const [preview, setPreview] = useState<LeavePreview>()
  const [values, setValues] = useState<Values>(() => ({ user_id: options.subjects[0]?.user_id ?? '', form_id: '', leave_type: '', reason_code: '', reason: '', mode: 'day', from: today, to: today, begin: '08:00', end: '12:00', pickup_id: '', proofs: [] }))
  const set = (patch: Partial<Values>) => setValues(before => ({ ...before, ...patch }))
  const draft = draftOf(values)
  const missing = step === 0 ? values.form_id === '' || values.leave_type === '' : step === 1 ? values.from === '' || values.to < values.from : values.reason_code === '' || values.reason.trim().length < 2
  const run = async (act: () => Promise<void>) => {
    setBusy(true)
    await act().catch((cause: unknown) => say(sentenceOf(cause)))
    setBusy(false)
  }
  const look = () => run(async () => setPreview(await call('preview', draft)))
  const send = () => run(async () => {
    const { leave_no } = await call('add', draft)
    say(`已提交 ${leave_no}`)
    onSent()
  })
  const next = () => (step < last ? go(step + 1) : void look())
  if (preview) return <Outcome preview={preview} busy={busy} onBack={() => setPreview(undefined)} onSend={() => void send()} />
  return (
    <Card title={`请假申请 ${step + 1}/3 ${titles[step]}`}>
      <form className="leave-form" onSubmit={event => { event.preventDefault(); next() }}>
        {step === 0 && <WhoStep options={options} values={values} set={set} />}
        {step === 1 && <TimeStep values={values} set={set} />}
        {step === last && <ReasonStep options={options} values={values} set={set} />}
        {step === last && <Proofs live={live} call={call} say={say} keys={values.proofs} onChange={proofs => set({ proofs })} />}
        <div className="leave-acts">
          {step > 0 && <button type="button" className="button" onClick={() => go(step - 1)}>上一步</button>}
          <button type="submit" className="button button-first" disabled={missing || busy}>{step < last ? '下一步' : '查看影响'}</button>
        </div>
      </form>
    </Card>
  )
}

type StepProps = { options: Options; values: Values; set: (patch: Partial<Values>) => void }

function WhoStep({ options, values, set }: StepProps): ReactNode {
  const subject = options.subjects.find(one => one.user_id === values.user_id)
  const forms = options.forms.filter(one => one.person_kind === subject?.person_kind)
  const form = forms.find(one => one.form_id === values.form_id)
  return (
    <>
      <Choice label="请假人" value={values.user_id} options={options.subjects.map(one => [one.user_id, `${one.user_name}${one.dept_name === null ? '' : ` ${one.dept_name}`}`])} onChange={user_id => set({ user_id, form_id: '', leave_type: '' })} />
      <Choice label="请假类型" value={values.form_id} options={forms.map(one => [one.form_id, one.form_name])} onChange={form_id => set({ form_id, leave_type: '' })} />
      {form && <Choice label="假别" value={values.leave_type} options={form.leave_types.map(type => [type, typeName(form.person_kind, type)])} onChange={leave_type => set({ leave_type, reason_code: '' })} />}
      {forms.length === 0 && <p className="empty">学校还没有启用请假，请联系班主任</p>}
    </>
  )
}

function TimeStep({ values, set }: Omit<StepProps, 'options'>): ReactNode {
  const is_long = values.mode === 'day' || values.mode === 'time'
  return (
    <>
      <Choice label="方式" value={values.mode} options={modes} onChange={mode => modes.filter(([key]) => key === mode).forEach(([key]) => set({ mode: key }))} />
      <label className="field">{is_long ? '开始日期' : '日期'}<input type="date" required value={values.from} onChange={event => set({ from: event.target.value, to: values.to < event.target.value ? event.target.value : values.to })} /></label>
      {values.mode === 'time' && <label className="field">开始时间<input type="time" required value={values.begin} onChange={event => set({ begin: event.target.value })} /></label>}
      {is_long && <label className="field">结束日期<input type="date" required min={values.from} value={values.to} onChange={event => set({ to: event.target.value })} /></label>}
      {values.mode === 'time' && <label className="field">结束时间<input type="time" required value={values.end} onChange={event => set({ end: event.target.value })} /></label>}
    </>
  )
}

function ReasonStep({ options, values, set }: StepProps): ReactNode {
  const form = options.forms.find(one => one.form_id === values.form_id)
  const reasons = options.reasons.filter(one => one.person_kinds.includes(form?.person_kind ?? 0) && (one.leave_types.length === 0 || one.leave_types.includes(values.leave_type)))
  const reason = reasons.find(one => one.reason_code === values.reason_code)
  const adults = options.pickups.filter(one => one.child_id === values.user_id)
  return (
    <>
      <Choice label="原因" value={values.reason_code} options={reasons.map(one => [one.reason_code, one.reason_name])} onChange={reason_code => set({ reason_code })} />
      {(reason?.need_pickup === true || form?.exit_mode === fetched) && <Choice label="接送人" value={values.pickup_id} options={adults.map(one => [one.user_id, one.user_name])} onChange={pickup_id => set({ pickup_id })} />}
      <label className="field">事由<textarea required rows={3} maxLength={200} value={values.reason} onChange={event => set({ reason: event.target.value })} /></label>
    </>
  )
}

function Choice({ label, value, options, onChange }: { label: string; value: string; options: readonly (readonly [string, string])[]; onChange: (value: string) => void }): ReactNode {
  return (
    <fieldset className="leave-choice">
      <legend>{label}</legend>
      <div className="choice">{options.map(([key, text]) => <button key={key} type="button" aria-pressed={value === key} onClick={() => onChange(key)}>{text}</button>)}</div>
    </fieldset>
  )
}

/** 将产生的影响: what will follow, before it is sent. */
function Outcome({ preview, busy, onBack, onSend }: { preview: LeavePreview; busy: boolean; onBack: () => void; onSend: () => void }): ReactNode {
  const refusal = preview.overlap === null ? preview.refusal : `与请假单${preview.overlap}时间重叠`
  return (
    <Card title="将产生的影响">
      <p>{preview.spans.map(span => spanText(span)).join('；')}，共{preview.school_days}天 {preview.lessons}节课</p>
      <ul className="lines">
        {preview.steps.map(step => <li key={step.seq} className="line"><span className="words"><b>{step.seq}. {step.assignees.map(one => one.user_name).join('、') || '没有审批人'}</b><small>{step.why}</small></span><span className="tag">审批</span></li>)}
        {preview.no_approval && <li className="line"><span className="words"><b>无需审批，提交后直接生效</b></span></li>}
        {preview.effects.map(one => <li key={one.effect} className="line"><span className="words"><b>{one.title}</b><small>{one.text}</small></span></li>)}
      </ul>
      {refusal !== null && <p className="entry-msg" role="alert">{refusal}</p>}
      <div className="leave-acts">
        <button type="button" className="button" onClick={onBack}>返回修改</button>
        <button type="button" className="button button-first" disabled={busy || refusal !== null} onClick={onSend}>提交</button>
      </div>
    </Card>
  )
}

function draftOf({ user_id, form_id, leave_type, reason_code, reason, mode, from, to, begin, end, pickup_id, proofs }: Values): LeaveDraft {
  const half = mode === 'time' ? {} : { half: mode }
  const span = mode === 'time' ? { begin: `${from}T${begin}:00+08:00`, end: `${to}T${end}:00+08:00` } : { begin: `${from}T00:00:00+08:00`, end: `${mode === 'day' ? to : from}T12:00:00+08:00` }
  return { user_ids: [user_id], form_id, leave_type, reason_code, reason: reason.trim(), spans: [{ ...span, ...half }], attach_keys: proofs, ...(pickup_id === '' ? {} : { pickup_id }) }
}
