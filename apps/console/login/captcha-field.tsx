import type { Run } from './login-page.tsx'
import { edit, useLogin } from './login-state.ts'
import type { Login } from './login-state.ts'
import { TextField } from './text-field.tsx'

/** The picture captcha; a click on the picture, or on what stands for a failed one, fetches another. */
export function CaptchaField({ login, run }: { login: Login; run: Run }) {
  const { form, invalid, captcha, captcha_state } = useLogin(login)
  const loading = captcha_state === 'loading'
  return (
    <TextField
      id="captcha" label="验证码" maxLength={4} autoComplete="off" value={form.captcha} aria-invalid={invalid === 'captcha'}
      onFocus={() => run(parts => parts.refreshStaleCaptcha(login))}
      onChange={event => edit(login, now => ({ ...now, captcha: event.target.value }))}
    >
      <button
        type="button" className="captcha-picture" data-state={captcha_state} aria-disabled={loading}
        onClick={() => !loading && run(parts => parts.renewCaptcha(login))}
      >
        {captcha_state === 'failed'
          ? '加载失败，点击重试'
          : captcha?.image && <img src={captcha.image} alt="看不清？点击刷新" title="看不清？点击刷新" />}
      </button>
    </TextField>
  )
}
