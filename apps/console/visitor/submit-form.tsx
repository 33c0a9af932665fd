import { useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { CaptchaField, useCaptcha } from './captcha-field.tsx'
import { FieldInput } from './field-input.tsx'
import { MaterialsSection } from './materials-section.tsx'
import { useUploads } from './use-uploads.ts'
import { draftText, errorsOf, keepDraft, readDraft } from './visit.ts'
import type { Draft, Visit } from './visit.ts'
import { postAct } from './wire.ts'
import type { VisitorAnswer, VisitorField, VisitorForm } from './wire.ts'

const mobile_field: VisitorField = { field_code: 'mobile', label: '联系手机号', required: true, options: null, note: '学校审核时联系您；同一手机号每天最多提交5次' }
const conflict = 409

/** The form itself; what is typed stays in this tab until it is sent. */
export function SubmitForm({ visit, form }: { visit: Visit; form: VisitorForm }): ReactNode {
  const [draft, setDraft] = useState<Draft>(() => readDraft(visit))
  const [errors, setErrors] = useState<Draft>({})
  const [refused, setRefused] = useState<{ msg: string; is_over: boolean } | null>(null)
  const [busy, setBusy] = useState(false)
  const [done, setDone] = useState<VisitorAnswer | null>(null)
  const captcha = useCaptcha()
  const materials = form.materials.filter(one => one.upload !== 'none')
  const uploads = useUploads(visit, materials.length > 0)
  const fields = [mobile_field, ...form.fields]
  const change = (code: string, text: string) => {
    const next = { ...draft, [code]: text }
    setDraft(next)
    keepDraft(visit, next)
  }
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    const { mobile = '', is_new = '1', ...values } = draft
    const answer = await postAct(visit.key, { act: 'submit', field_scene: visit.field_scene, is_new: is_new === '0' ? 0 : 1, mobile, values, files: uploads.files.map(({ material, file_key }) => ({ material, file_key })), ...captcha.proof() })
    setBusy(false)
    if (answer.kind === 'ok') {
      keepDraft(visit, null)
      uploads.forget()
      setDone(answer.data)
      return
    }
    const told = answer.kind === 'refused' ? errorsOf(answer.data) : {}
    setErrors(told)
    setRefused({ msg: answer.msg, is_over: answer.kind === 'refused' && answer.status === conflict })
    if (answer.kind === 'refused') await captcha.renew()
    goTo([...fields.map(field => field.field_code), ...materials.map(one => `material.${one.name}`)].find(code => told[code]))
  }
  if (done) return <Receipt answer={done} />
  const elsewhere = Object.entries(errors).filter(([code]) => code !== 'captcha' && !code.startsWith('material.') && !fields.some(field => field.field_code === code)).map(([, msg]) => msg)
  return (
    <form noValidate onSubmit={event => void send(event)} aria-label="登记表">
      {form.kind === 'register' && <NewOrKnown value={draft.is_new ?? '1'} change={value => change('is_new', value)} />}
      {fields.map(field => <FieldInput key={field.field_code} field={field} value={draft[field.field_code] ?? ''} error={errors[field.field_code]} change={text => change(field.field_code, text)} />)}
      {materials.length > 0 && <MaterialsSection materials={materials} uploads={uploads} errors={errors} />}
      <CaptchaField desk={captcha} error={errors.captcha} />
      {refused && <p className="visit-refused" role="alert">{[refused.msg, ...elsewhere].join('；')}</p>}
      {refused?.is_over && <CopyText text={draftText(draft, code => fields.find(field => field.field_code === code)?.label ?? code)} />}
      <button type="submit" className="visit-main" disabled={busy}>{busy ? '正在提交…' : '提交'}</button>
    </form>
  )
}

/** Brings what is wrong into view; the field of a material is named like its error. */
function goTo(code: string | undefined): void {
  const place = document.getElementById(code?.replace('material.', 'material-') ?? '')
  place?.scrollIntoView({ block: 'center' })
  place?.focus()
}

function NewOrKnown({ value: chosen, change }: { value: string; change: (value: string) => void }): ReactNode {
  return (
    <fieldset>
      <legend>登记类型</legend>
      {[['1', '新登记'], ['0', '更正已有信息']].map(([value = '', label]) => (
        <label key={value}><input type="radio" name="is_new" value={value} checked={chosen === value} onChange={() => change(value)} /> {label}</label>
      ))}
    </fieldset>
  )
}

/** What was typed, where the form takes it no more (chapter 20 rule 27). */
function CopyText({ text }: { text: string }): ReactNode {
  return (
    <div className="visit-field">
      <label htmlFor="copy">您填写的内容（可复制保存）</label>
      <textarea id="copy" readOnly rows={6} value={text} onFocus={event => event.target.select()} />
    </div>
  )
}

function Receipt({ answer }: { answer: VisitorAnswer }): ReactNode {
  return (
    <section className="visit-done" aria-label="提交成功">
      <h2>提交成功</h2>
      <p>登记编号</p>
      <p className="visit-number">{answer.apply_no}</p>
      <p>请截图保存。在“查询进度”中输入登记编号和证件号后四位（没有证件号时为手机号后四位），可以查看审核结果。</p>
    </section>
  )
}
