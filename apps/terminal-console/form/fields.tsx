import { setting_fields } from '@kit/terminal-protocol/console'
import { useId } from 'react'
import type { HTMLAttributes, ReactNode } from 'react'
import { isKey, useWords } from '../words/words.ts'
import type { Key } from '../words/words.ts'
import type { GroupForm } from './use-group.ts'

type Of = { form: GroupForm; of: string }

/** A label, whatever is typed or chosen beside it, and what is wrong with it. */
export function Field({ label, fault, hint, children }: { label: string; fault?: string | undefined; hint?: string | undefined; children: (tied: { id: string; 'aria-describedby': string; 'aria-invalid': boolean }) => ReactNode }): ReactNode {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-describedby': `${id}-about`, 'aria-invalid': fault !== undefined })}
      <p id={`${id}-about`} className={fault === undefined ? 'note' : 'fault'} role={fault === undefined ? undefined : 'alert'}>{fault ?? hint ?? ''}</p>
    </div>
  )
}

/** A number with its range; an empty box is no number, which the check says. */
export function NumberField({ form, of, label, hint }: Of & { label?: Key; hint?: string }): ReactNode {
  const { t } = useWords()
  const { least, most, decimals = 0 } = fieldOf(of)
  const value = form.value(of)
  return (
    <Field label={t(label ?? keyOf(of))} fault={form.fault(of)} hint={hint}>
      {tied => <input {...tied} type="number" inputMode="decimal" min={least} max={most} step={decimals === 0 ? 1 : 1 / 10 ** decimals} value={String(value)} onChange={event => form.set(of, event.target.value === '' ? '' : Number(event.target.value))} />}
    </Field>
  )
}

/** A text; `kind` password: written and never shown. */
export function TextField({ form, of, label, hint, kind = 'text' }: Of & { label: Key; hint?: string; kind?: 'text' | 'password' }): ReactNode {
  const { t } = useWords()
  const about = kind === 'password' && form.has_secret(of) ? t('online.secret_set') : hint
  return (
    <Field label={t(label)} fault={form.fault(of)} hint={about}>
      {tied => <input {...tied} type={kind} autoComplete={kind === 'password' ? 'new-password' : 'off'} spellCheck={false} value={String(form.value(of))} onChange={event => form.set(of, event.target.value.trim())} />}
    </Field>
  )
}

/** One of several; the sentences of the choices are named after the field, unless `words` names them. */
export function ChoiceField({ form, of, label, words = {} }: Of & { label?: Key; words?: Readonly<Record<string, Key>> }): ReactNode {
  const { t } = useWords()
  const { values = [] } = fieldOf(of)
  const chosen = (text: string) => values.find(value => String(value) === text) ?? text
  return (
    <Field label={t(label ?? keyOf(of))} fault={form.fault(of)}>
      {tied => (
        <select {...tied} value={String(form.value(of))} onChange={event => form.set(of, chosen(event.target.value))}>
          {values.map(value => <option key={value} value={value}>{t(words[String(value)] ?? keyOf(`${of}.${value}`))}</option>)}
        </select>
      )}
    </Field>
  )
}

/** On or off: 1 or 0. */
export function SwitchField({ form, of, label }: Of & { label?: Key }): ReactNode {
  const { t } = useWords()
  return <Switch label={t(label ?? keyOf(of))} is_on={form.value(of) === 1} onTurn={is_on => form.set(of, is_on ? 1 : 0)} />
}

/** A switch that acts. */
export function Switch({ label, is_on, onTurn, ...rest }: { label: string; is_on: boolean; onTurn: (is_on: boolean) => void } & Pick<HTMLAttributes<HTMLInputElement>, 'aria-describedby'>): ReactNode {
  const { t } = useWords()
  return (
    <label className="switch">
      <input type="checkbox" role="switch" aria-checked={is_on} {...rest} checked={is_on} onChange={event => onTurn(event.target.checked)} />
      <span>{label}</span>
      <span className="switch-state" aria-hidden="true">{t(is_on ? 'on' : 'off')}</span>
    </label>
  )
}

/** The sentence of a field. */
function keyOf(of: string): Key {
  return isKey(of) ? of : 'fault.unknown'
}

function fieldOf(of: string) {
  const [group = '', name = ''] = of.split('.')
  return setting_fields[group]?.[name] ?? { initial: '' }
}
