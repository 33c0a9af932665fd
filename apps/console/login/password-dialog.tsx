import { checkNewPassword, checkNewPasswordPair, checkPasswordSubmit, checkStrong, newPasswordChecklist } from '@kit/contract/checks'
import { useState } from 'react'
import { sendForcedPassword } from './attempt.ts'
import { Modal } from './modal.tsx'
import { PasswordChecklist } from './password-checklist.tsx'
import { PasswordField } from './password-field.tsx'
import { showToast } from './toast.tsx'
import type { PasswordSet } from './wire.ts'

type Props = {
  /** ticket of 6005 or 6006 */
  code: string
  /** null when the rule could not be asked: the server still applies it */
  rule: PasswordSet | null
  onDone: () => void
  onLeave: () => void
}

const FALLBACK_MIN = 8
const SIGNED_OUT = 401

/** The forced change of a default or expired password: it ends with a new password or with leaving. */
export function PasswordDialog({ code, rule, onDone, onLeave }: Props) {
  const [password, setPassword] = useState('')
  const [confirm, setConfirm] = useState('')
  const [seen, setSeen] = useState({ password: false, confirm: false })
  const [busy, setBusy] = useState(false)
  const min = rule?.pwd_count ?? FALLBACK_MIN
  const strong = rule?.is_password_strong === 1
  const verdicts = {
    password: checkNewPassword(password, min) ?? (strong ? checkStrong(password) : null),
    confirm: checkNewPasswordPair(password, confirm),
  }

  const submit = async () => {
    setSeen({ password: true, confirm: true })
    const refusal = checkPasswordSubmit([verdicts.password, verdicts.confirm])
    if (refusal) return showToast(refusal)
    setBusy(true)
    const answer = await sendForcedPassword(password, code)
    setBusy(false)
    if (answer.kind === 'ok') return onDone()
    if (answer.kind === 'refused' && answer.status === SIGNED_OUT) onLeave()
    showToast(answer.msg)
  }
  return (
    <Modal title="修改密码" size="wide">
      <form
        className="modal-body"
        noValidate
        onSubmit={event => {
          event.preventDefault()
          if (!busy) void submit()
        }}
      >
        <p className="modal-text">为了您的账号安全，请设置新密码后重新登录。</p>
        <div className="password-grid">
          <div>
            <PasswordField
              id="new_password" label="新密码" value={password} error={seen.password ? verdicts.password : null}
              describedBy="password_rules" onChange={setPassword} onLeave={() => setSeen({ ...seen, password: true })}
            />
            <PasswordField
              id="confirm_password" label="确认密码" value={confirm} error={seen.confirm ? verdicts.confirm : null}
              onChange={setConfirm} onLeave={() => setSeen({ ...seen, confirm: true })}
            />
          </div>
          <PasswordChecklist id="password_rules" items={newPasswordChecklist(password, min, strong)} />
        </div>
        <footer className="modal-foot">
          <button type="button" className="link" onClick={onLeave}>退出登录</button>
          <button type="submit" className="primary" disabled={busy} aria-busy={busy}>
            {busy && <span className="spinner" aria-hidden="true" />}
            确定
          </button>
        </footer>
      </form>
    </Modal>
  )
}
