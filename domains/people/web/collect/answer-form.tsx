import { collectAnswerApi } from '@campus/people/contract'
import type { CollectField, CollectForm } from '@campus/people/contract'
import { call, CallError, toast, useSaving } from '@kit/web'
import { Alert, Button, Input, Select } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { z } from 'zod'
import { keepTyped, readTyped } from './kept-draft.ts'
import type { Typed } from './kept-draft.ts'
import { useCollectChanged } from './use-collect.ts'

const Warnings = z.object({ warnings: z.array(z.object({ field: z.string(), msg: z.string() })) })
type Warning = z.output<typeof Warnings>['warnings'][number]
type Told = { wrong: Typed; warnings: Warning[] }

/** The questions with what the school knows; nothing changed is 信息无误 in one click. */
export function AnswerForm({ form, done }: { form: CollectForm; done: () => void }): ReactNode {
  const [typed, setTyped] = useState<Typed>(() => readTyped(form))
  const [told, tell] = useState<Told>({ wrong: {}, warnings: [] })
  const { busy, refused, run } = useSaving()
  const changed = useCollectChanged()
  const values = changedValues(form.fields, typed)
  const same = Object.keys(values).length === 0
  const type = (code: string, text: string) => {
    const next = { ...typed, [code]: text }
    setTyped(next)
    keepTyped(form, next)
  }
  const send = async () => {
    const { task_id, user_id } = form
    const accept_warnings = told.warnings.map(({ field }) => field)
    const sent = await run(() => call(collectAnswerApi.answer, { task_id, user_id, values, accept_warnings }, { quiet: true }).catch((cause: unknown) => {
      tell(toldBy(cause))
      throw cause
    }))
    if (!sent) return
    keepTyped(form, null)
    toast.success(same ? '已确认，感谢配合' : '已提交')
    changed()
    done()
  }
  return (
    <form className="collect-form" aria-label={`${form.user_name}的信息`} onSubmit={event => { event.preventDefault(); void send() }}>
      {form.reason !== null && <Alert type="warning" showIcon title={`学校退回：${form.reason}`} />}
      {refused !== null && Object.keys(told.wrong).length === 0 && <Alert type="warning" showIcon title={refused} />}
      {told.warnings.map(({ field, msg }) => <Alert key={field} type="info" showIcon title={`${msg}，确认无误请再次提交`} />)}
      {form.fields.map(field => <Question key={field.field_code} field={field} text={typed[field.field_code]} wrong={told.wrong[field.field_code]} type={text => type(field.field_code, text)} />)}
      <Button type="primary" htmlType="submit" size="large" loading={busy}>{same ? '信息无误' : '提交修改'}</Button>
    </form>
  )
}

function Question({ field: { field_code, label, options, value, is_masked, note }, text, wrong, type }: { field: CollectField; text: string | undefined; wrong: string | undefined; type: (text: string) => void }): ReactNode {
  const id = `collect_${field_code}`
  const shown = text ?? (is_masked ? '' : (value ?? ''))
  const status = wrong ? 'error' : ''
  return (
    <div className="collect-question">
      <label htmlFor={id}>{label}</label>
      {options === null
        ? <Input id={id} value={shown} status={status} maxLength={200} placeholder={is_masked ? `${value ?? ''}（不变请留空）` : note} aria-describedby={wrong ? `${id}_wrong` : undefined} onChange={event => type(event.target.value)} />
        : <Select id={id} value={shown === '' ? undefined : shown} status={status} allowClear showSearch={{ optionFilterProp: 'label' }} options={options} placeholder="请选择" onChange={(next?: string) => type(next ?? '')} />}
      {wrong && <small id={`${id}_wrong`} role="alert">{wrong}</small>}
    </div>
  )
}

/** Only what differs from the file; an emptied field is null, a protected one left empty stays. */
function changedValues(fields: readonly CollectField[], typed: Typed): Record<string, string | null> {
  return Object.fromEntries(fields.flatMap(({ field_code, value, is_masked }) => {
    const text = typed[field_code]?.trim()
    if (text === undefined || text === (is_masked ? '' : (value ?? ''))) return []
    return [[field_code, text === '' ? null : text]]
  }))
}

function toldBy(cause: unknown): Told {
  if (!(cause instanceof CallError)) return { wrong: {}, warnings: [] }
  const read = Warnings.safeParse(cause.data)
  return { wrong: Object.fromEntries(cause.errors.map(({ field, msg }) => [field, msg])), warnings: read.success ? read.data.warnings : [] }
}
