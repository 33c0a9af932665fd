import { useCallback, useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { getCaptcha } from './wire.ts'
import type { Captcha } from './wire.ts'

type Proof = { cap_key: string; captcha: string }
export type CaptchaDesk = { captcha: Captcha | null; is_loading: boolean; text: string; setText: (text: string) => void; renew: () => Promise<void>; proof: () => Proof }

/** One captcha at a time; a spent one is renewed by whoever spent it. */
export function useCaptcha(is_asked = true): CaptchaDesk {
  const [captcha, setCaptcha] = useState<Captcha | null>(null)
  const [text, setText] = useState('')
  const [is_loading, setIsLoading] = useState(is_asked)
  const renew = useCallback(async () => {
    // What is typed belongs to the picture that is shown, and nothing can be typed while there is none.
    setIsLoading(true)
    setText('')
    const answer = await getCaptcha()
    setIsLoading(false)
    setCaptcha(answer.kind === 'ok' ? answer.data : null)
  }, [])
  useEffect(() => {
    if (is_asked) void renew()
  }, [is_asked, renew])
  return { captcha, is_loading, text, setText, renew, proof: () => ({ cap_key: captcha?.key ?? '', captcha: text }) }
}

/** The picture and what is read from it. */
export function CaptchaField({ desk, error, id = 'captcha', label = '验证码' }: { desk: CaptchaDesk; error: string | undefined; id?: string; label?: string }): ReactNode {
  return (
    <div className="visit-field">
      <label htmlFor={id}>{label}<b aria-hidden="true">*</b></label>
      <div className="visit-captcha">
        <input id={id} value={desk.text} readOnly={desk.is_loading} maxLength={4} autoComplete="off" autoCapitalize="off" required aria-invalid={error !== undefined} aria-describedby={`${id}-error`} onChange={event => desk.setText(event.target.value)} />
        <button type="button" onClick={() => void desk.renew()}>{desk.captcha?.image ? <img src={desk.captcha.image} alt="看不清？点击刷新" /> : desk.is_loading ? '正在加载…' : '加载失败，点击重试'}</button>
      </div>
      <p id={`${id}-error`} className="visit-error">{error}</p>
    </div>
  )
}
