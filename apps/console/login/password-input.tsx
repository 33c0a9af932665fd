import { useState } from 'react'
import type { InputHTMLAttributes, KeyboardEvent } from 'react'
import { exact_text } from './field.tsx'

type Props = Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> & {
  /** nothing to reveal: the field stands for a remembered password */
  sealed?: boolean
}

/** A password input with an eye that reveals the text, and a hint while caps lock is on. */
export function PasswordInput({ sealed = false, ...input }: Props) {
  const [shown, setShown] = useState(false)
  const [caps, setCaps] = useState(false)
  const plain = shown && !sealed
  const watch = (event: KeyboardEvent) => setCaps(event.getModifierState('CapsLock'))
  return (
    <>
      <input
        {...exact_text}
        {...input}
        className="field-input field-input-eye"
        type={plain ? 'text' : 'password'}
        onKeyDown={watch}
        onKeyUp={watch}
        onBlur={event => {
          setCaps(false)
          input.onBlur?.(event)
        }}
      />
      <span className="caps-hint" role="status">{caps && <em>大写锁定已打开</em>}</span>
      <button
        type="button" className="eye" aria-label={plain ? '隐藏密码' : '显示密码'} aria-pressed={plain} disabled={sealed}
        onClick={() => setShown(!shown)}
      />
    </>
  )
}
