import { Field } from './field.tsx'
import { PasswordInput } from './password-input.tsx'

type Props = {
  id: string
  label: string
  value: string
  error: string | null
  describedBy?: string
  onChange: (value: string) => void
  onLeave: () => void
}

/** A labelled new-password field whose sentence appears in a place kept free for it. */
export function PasswordField({ id, label, value, error, describedBy, onChange, onLeave }: Props) {
  const error_id = `${id}_error`
  return (
    <>
      <Field id={id} label={label}>
        <PasswordInput
          id={id}
          value={value}
          autoComplete="new-password"
          aria-invalid={error !== null}
          aria-describedby={describedBy ? `${error_id} ${describedBy}` : error_id}
          onChange={event => onChange(event.target.value)}
          onBlur={() => value !== '' && onLeave()}
        />
      </Field>
      <p className="field-error" id={error_id} role="status">{error}</p>
    </>
  )
}
