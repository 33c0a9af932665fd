import type { useLogin } from './use-login.ts'

/** The picture captcha; a click on the picture, or on what stands for a failed one, fetches another. */
export function CaptchaField({ login }: { login: ReturnType<typeof useLogin> }) {
  const { form, invalid, change, captcha, renewCaptcha } = login
  const picture = captcha.captcha?.image
  return (
    <div className="field">
      <label className="field-label" htmlFor="captcha">验证码</label>
      <span className="captcha">
        <input
          id="captcha" className="field-input" type="text" maxLength={4} placeholder="请输入验证码" autoComplete="off" autoCapitalize="off"
          autoCorrect="off" spellCheck={false} aria-required="true" aria-invalid={invalid === 'captcha'} value={form.captcha}
          onFocus={captcha.refreshStale} onChange={event => change(now => ({ ...now, captcha: event.target.value }))}
        />
        <button type="button" className="captcha-picture" data-state={captcha.state} aria-disabled={captcha.state === 'loading'} onClick={renewUnlessLoading}>
          {captcha.state === 'failed' && <span>加载失败，点击重试</span>}
          {captcha.state !== 'failed' && picture && <img src={picture} alt="看不清？点击刷新" title="看不清？点击刷新" width="120" height="44" />}
          {captcha.state === 'loading' && !picture && <span className="only-read">验证码加载中</span>}
        </button>
      </span>
    </div>
  )

  function renewUnlessLoading() {
    if (captcha.state !== 'loading') renewCaptcha()
  }
}
