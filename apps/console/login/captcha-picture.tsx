import { renewCaptcha } from './control.ts'
import { useLogin } from './login-state.ts'
import type { Login } from './login-state.ts'

/** The captcha's picture; a click on it, or on what stands for a failed one, fetches another. */
export function CaptchaPicture({ login }: { login: Login }) {
  const { captcha, captcha_state } = useLogin(login)
  const loading = captcha_state === 'loading'
  return (
    <button
      type="button" className="captcha-picture" data-state={captcha_state} aria-disabled={loading}
      aria-label={loading ? '验证码加载中' : undefined}
      onClick={() => !loading && renewCaptcha(login)}
    >
      {captcha_state === 'failed'
        ? '加载失败，点击重试'
        : captcha?.image && <img src={captcha.image} alt="看不清？点击刷新" title="看不清？点击刷新" />}
    </button>
  )
}
