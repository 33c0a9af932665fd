import { useEffect } from 'react'
import { CaptchaField } from './captcha-field.tsx'
import { shownPassword, withAccount, withPassword } from './form-state.ts'
import type { Run } from './login-page.tsx'
import { edit, useLogin } from './login-state.ts'
import type { Login } from './login-state.ts'
import { PasswordInput } from './password-input.tsx'
import { TextField } from './text-field.tsx'

/** Accounts of more signs exist, but enter by other ways (platform rule P2). */
const ACCOUNT_MAX = 11

/** Account, password, captcha, remember, log in. */
export function LoginForm({ login, run }: { login: Login; run: Run }) {
  const { form, invalid, cursor, busy } = useLogin(login)
  const sealed = form.remember_token !== null
  useEffect(() => document.getElementById(cursor.field)?.focus(), [cursor])
  return (
    <form
      className="login-form"
      noValidate
      onInput={() => run(parts => void parts.loadSm2())}
      onSubmit={event => {
        event.preventDefault()
        if (!busy) run(parts => void parts.submit(login))
      }}
    >
      <TextField
        id="account" label="账号" maxLength={ACCOUNT_MAX} autoComplete="username" aria-invalid={invalid === 'account'}
        value={form.account} onChange={event => edit(login, now => withAccount(now, event.target.value))}
      />
      <div className="field">
        <label className="field-label" htmlFor="password">密码</label>
        <PasswordInput
          id="password" placeholder="请输入密码" autoComplete="current-password" aria-invalid={invalid === 'password'}
          sealed={sealed} value={shownPassword(form)} onFocus={event => sealed && event.target.select()}
          onChange={event => edit(login, now => withPassword(now, event.target.value))}
        />
      </div>
      <CaptchaField login={login} run={run} />
      <label className="remember">
        <input type="checkbox" checked={form.remember} onChange={event => edit(login, now => ({ ...now, remember: event.target.checked }))} />
        记住密码
      </label>
      <button type="submit" className="primary primary-wide" disabled={busy} aria-busy={busy}>
        {busy && <span className="spinner" aria-hidden="true" />}
        {busy ? '正在登录' : '登录'}
      </button>
    </form>
  )
}
