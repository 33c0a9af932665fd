import type { ReactNode } from 'react'
import type { VisitorField } from './wire.ts'

type Props = { field: VisitorField; value: string; error: string | undefined; change: (text: string) => void }

const numbers = /(?:mobile|tel|postcode|birthday|enrol_month|division)$/

/** One question: a list where there are choices, else a line. */
export function FieldInput({ field: { field_code, label, required, options, note }, value, error, change }: Props): ReactNode {
  const about = { id: field_code, value, required, 'aria-invalid': error !== undefined, 'aria-describedby': `${field_code}-about` }
  return (
    <div className="visit-field">
      <label htmlFor={field_code}>{label}{required && <b aria-hidden="true">*</b>}</label>
      {options ? (
        <select {...about} onChange={event => change(event.target.value)}>
          <option value="">请选择</option>
          {options.map(option => <option key={option} value={option}>{option}</option>)}
        </select>
      ) : (
        <input {...about} maxLength={200} inputMode={numbers.test(field_code) ? 'numeric' : 'text'} autoComplete="off" onChange={event => change(event.target.value)} />
      )}
      <p id={`${field_code}-about`}>{error ? <span className="visit-error">{error}</span> : note}</p>
    </div>
  )
}
