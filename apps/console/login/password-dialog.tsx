import { Modal } from './modal.tsx'
import { PasswordChecklist } from './password-checklist.tsx'
import { PasswordField } from './password-field.tsx'
import { field_ids, usePasswordChange } from './use-password-change.ts'
import type { PasswordChange } from './use-password-change.ts'

/** The forced change of a default or expired password: it ends with a new password or with leaving. */
export function PasswordDialog(props: PasswordChange) {
  const { password, confirm, checklist, busy, submit } = usePasswordChange(props)
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
            <PasswordField id={field_ids.password} label="新密码" describedBy="password_rules" {...password} />
            <PasswordField id={field_ids.confirm} label="确认密码" {...confirm} />
          </div>
          <PasswordChecklist id="password_rules" items={checklist} />
        </div>
        <footer className="modal-foot">
          <button type="button" className="link" onClick={props.onLeave}>退出登录</button>
          <button type="submit" className="primary" disabled={busy} aria-busy={busy}>
            {busy && <span className="spinner" aria-hidden="true" />}
            确定
          </button>
        </footer>
      </form>
    </Modal>
  )
}
