import type { ReactNode } from 'react'

/** Attributes of inputs whose text no keyboard should correct: accounts, passwords, captchas. */
export const exact_text = { autoCapitalize: 'off', autoCorrect: 'off', spellCheck: false, 'aria-required': true } as const

/** A label above its input; `pair` puts two things side by side. */
export function Field({ id, label, pair, children }: { id: string; label: string; pair?: boolean; children: ReactNode }) {
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>{label}</label>
      <div className={pair ? 'field-pair' : 'field-box'}>{children}</div>
    </div>
  )
}
