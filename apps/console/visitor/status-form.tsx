import { useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { CaptchaField, useCaptcha } from './captcha-field.tsx'
import { FieldInput } from './field-input.tsx'
import { errorsOf } from './visit.ts'
import type { Draft, Visit } from './visit.ts'
import { postAct } from './wire.ts'
import type { VisitorAnswer } from './wire.ts'

const number_field = { field_code: 'apply_no', label: '登记编号', required: true, options: null, note: '提交成功后显示的编号' }
const proof_field = { field_code: 'id_last4', label: '证件号后四位', required: true, options: null, note: '登记时没有填写证件号的，输入手机号后四位' }

/** How an entry stands. */
export function StatusForm({ visit }: { visit: Visit }): ReactNode {
  const [asked, setAsked] = useState({ apply_no: '', id_last4: '' })
  const [errors, setErrors] = useState<Draft>({})
  const [refused, setRefused] = useState<string | null>(null)
  const [found, setFound] = useState<VisitorAnswer | null>(null)
  const captcha = useCaptcha()
  const look = async (event: FormEvent) => {
    event.preventDefault()
    setFound(null)
    const answer = await postAct(visit.key, { act: 'status', ...asked, ...captcha.proof() })
    setErrors(answer.kind === 'refused' ? errorsOf(answer.data) : {})
    setRefused(answer.kind === 'ok' ? null : answer.msg)
    if (answer.kind === 'ok') setFound(answer.data)
    if (answer.kind !== 'lost') await captcha.renew()
  }
  return (
    <form noValidate onSubmit={event => void look(event)} aria-label="查询进度">
      <FieldInput field={number_field} value={asked.apply_no} error={errors.apply_no} change={apply_no => setAsked({ ...asked, apply_no })} />
      <FieldInput field={proof_field} value={asked.id_last4} error={errors.id_last4} change={id_last4 => setAsked({ ...asked, id_last4 })} />
      <CaptchaField desk={captcha} error={errors.captcha} />
      {refused !== null && <p className="visit-refused" role="alert">{refused}</p>}
      {found && <p className="visit-found" role="status"><b>{found.state_label}</b>{found.reason === null ? '' : `：${found.reason}`}</p>}
      <button type="submit" className="visit-main">查询</button>
    </form>
  )
}
