import { checkNewPassword, checkNewPasswordPair, checkPasswordSubmit, checkStrong, newPasswordChecklist } from '@kit/contract/checks'
import { useState } from 'react'
import { sendForcedPassword } from './attempt.ts'
import { showToast } from './toast.tsx'
import type { PasswordSet } from './wire.ts'

export type PasswordChange = {
  /** ticket of 6005 or 6006 */
  code: string
  /** null when the rule could not be asked: the server still applies it */
  rule: PasswordSet | null
  onDone: () => void
  onLeave: () => void
}

/** Ids of the two inputs: a refused submission sends the cursor to the first wrong one. */
export const field_ids = { password: 'new_password', confirm: 'confirm_password' } as const

const FALLBACK_MIN = 8
const SIGNED_OUT = 401

/** State of the password dialog: two fields, the sentences they have earned so far, and the submission. */
export function usePasswordChange({ code, rule, onDone, onLeave }: PasswordChange) {
  const [password, setPassword] = useState('')
  const [confirm, setConfirm] = useState('')
  const [seen, setSeen] = useState({ password: false, confirm: false })
  const [busy, setBusy] = useState(false)
  const min = rule?.pwd_count ?? FALLBACK_MIN
  const strong = rule?.is_password_strong === 1
  const wrong_password = checkNewPassword(password, min) ?? (strong ? checkStrong(password) : null)
  const wrong_confirm = checkNewPasswordPair(password, confirm)

  const submit = async () => {
    setSeen({ password: true, confirm: true })
    const refusal = checkPasswordSubmit([wrong_password, wrong_confirm])
    if (refusal) {
      document.getElementById(wrong_password ? field_ids.password : field_ids.confirm)?.focus()
      return showToast(refusal)
    }
    setBusy(true)
    const answer = await sendForcedPassword(password, code)
    setBusy(false)
    if (answer.kind === 'ok') return onDone()
    if (answer.kind === 'refused' && answer.status === SIGNED_OUT) onLeave()
    return showToast(answer.msg)
  }
  return {
    password: { value: password, error: seen.password ? wrong_password : null, onChange: setPassword, onLeave: () => setSeen({ ...seen, password: true }) },
    confirm: { value: confirm, error: seen.confirm ? wrong_confirm : null, onChange: setConfirm, onLeave: () => setSeen({ ...seen, confirm: true }) },
    checklist: newPasswordChecklist(password, min, strong),
    busy,
    submit,
  }
}
