import type { InputHTMLAttributes, ReactNode } from 'react'

type Props = InputHTMLAttributes<HTMLInputElement> & {
  label: string
  /** stands beside the input */
  children?: ReactNode
}

/** A labelled field for signs that no keyboard should correct: accounts, captchas. */
export function TextField({ label, children, ...input }: Props) {
  return (
    <div className="field">
      <label className="field-label" htmlFor={input.id}>{label}</label>
      <span className={children ? 'field-pair' : undefined}>
        <input
          {...input} className="field-input" placeholder={`请输入${label}`} autoCapitalize="off" autoCorrect="off" spellCheck={false}
          aria-required="true"
        />
        {children}
      </span>
    </div>
  )
}
