import { useEffect } from 'react'
import { exact_text, Field } from './field.tsx'
import { shownPassword, withAccount, withPassword } from './form-state.ts'
import { edit, useLogin } from './login-state.ts'
import type { Login } from './login-state.ts'
import { PasswordInput } from './password-input.tsx'
import type { Parts, Run } from './use-parts.ts'

type Props = { login: Login; parts: Parts | null; run: Run }

/** Account, password, captcha, remember, log in. Accounts of more than 11 signs exist, but enter by other ways (platform rule P2). */
export function LoginForm({ login, parts, run }: Props) {
  const { form, invalid, cursor, captcha_state, busy } = useLogin(login)
  const sealed = form.remember_token !== null
  useEffect(() => document.getElementById(cursor.field)?.focus(), [cursor])
  return (
    <form
      className="login-form"
      onInput={() => run(({ loadSm2 }) => void loadSm2())}
      onSubmit={event => {
        event.preventDefault()
        if (!busy) run(({ submit }) => void submit(login))
      }}
    >
      <Field id="account" label="账号">
        <input
          {...exact_text} id="account" className="field-input" maxLength={11} autoComplete="username"
          aria-invalid={invalid === 'account'} value={form.account} onChange={event => edit(login, now => withAccount(now, event.target.value))}
        />
      </Field>
      <Field id="password" label="密码">
        <PasswordInput
          id="password" autoComplete="current-password" aria-invalid={invalid === 'password'} sealed={sealed}
          value={shownPassword(form)} onFocus={event => sealed && event.target.select()}
          onChange={event => edit(login, now => withPassword(now, event.target.value))}
        />
      </Field>
      <Field id="captcha" label="验证码" pair>
        <input
          {...exact_text} id="captcha" className="field-input" maxLength={4} autoComplete="off"
          aria-invalid={invalid === 'captcha'} value={form.captcha} onFocus={() => run(({ refreshStaleCaptcha }) => refreshStaleCaptcha(login))}
          onChange={event => edit(login, now => ({ ...now, captcha: event.target.value }))}
        />
        {parts ? <parts.CaptchaPicture login={login} /> : captcha_state === 'failed' && '网络异常，请检查网络'}
      </Field>
      <label className="remember">
        <input type="checkbox" checked={form.remember} onChange={event => edit(login, now => ({ ...now, remember: event.target.checked }))} />
        记住密码
      </label>
      <button type="submit" className="primary primary-wide" disabled={busy} aria-busy={busy}>
        {busy && <span className="spinner" />}
        {busy ? '正在登录' : '登录'}
      </button>
    </form>
  )
}
