import { loadSm2 } from './attempt.ts'
import { CaptchaField } from './captcha-field.tsx'
import { shownPassword, withAccount, withPassword } from './form-state.ts'
import { PasswordInput } from './password-input.tsx'
import type { useLogin } from './use-login.ts'

/** Accounts of more signs exist, but enter by other ways (platform rule P2). */
const ACCOUNT_MAX = 11

/** Account, password, captcha, remember, log in. */
export function LoginForm({ login }: { login: ReturnType<typeof useLogin> }) {
  const { form, invalid, change, busy } = login
  const sealed = form.remember_token !== null
  return (
    <form
      className="login-form"
      noValidate
      onInput={() => void loadSm2()}
      onSubmit={event => {
        event.preventDefault()
        if (!busy) void login.submit()
      }}
    >
      <div className="field">
        <label className="field-label" htmlFor="account">账号</label>
        <input
          id="account" className="field-input" type="text" maxLength={ACCOUNT_MAX} placeholder="请输入账号" autoComplete="username"
          autoCapitalize="off" autoCorrect="off" spellCheck={false} aria-required="true" aria-invalid={invalid === 'account'}
          value={form.account} onChange={event => change(now => withAccount(now, event.target.value))}
        />
      </div>
      <div className="field">
        <label className="field-label" htmlFor="password">密码</label>
        <PasswordInput
          id="password" placeholder="请输入密码" autoComplete="current-password" aria-required="true" aria-invalid={invalid === 'password'}
          sealed={sealed} value={shownPassword(form)} onFocus={event => sealed && event.target.select()}
          onChange={event => change(now => withPassword(now, event.target.value))}
        />
      </div>
      <CaptchaField login={login} />
      <label className="remember">
        <input type="checkbox" checked={form.remember} onChange={event => change(now => ({ ...now, remember: event.target.checked }))} />
        记住密码
      </label>
      <button type="submit" className="primary primary-wide" disabled={busy} aria-busy={busy}>
        {busy && <span className="spinner" aria-hidden="true" />}
        {busy ? '正在登录' : '登录'}
      </button>
    </form>
  )
}
