import { useCallback, useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { getCaptcha } from './wire.ts'
import type { Captcha } from './wire.ts'

type Proof = { cap_key: string; captcha: string }
export type CaptchaDesk = { captcha: Captcha | null; text: string; setText: (text: string) => void; renew: () => Promise<void>; proof: () => Proof }

/** One captcha at a time; a spent one is renewed by whoever spent it. */
export function useCaptcha(): CaptchaDesk {
  const [captcha, setCaptcha] = useState<Captcha | null>(null)
  const [text, setText] = useState('')
  const renew = useCallback(async () => {
    const answer = await getCaptcha()
    setText('')
    setCaptcha(answer.kind === 'ok' ? answer.data : null)
  }, [])
  useEffect(() => void renew(), [renew])
  return { captcha, text, setText, renew, proof: () => ({ cap_key: captcha?.key ?? '', captcha: text }) }
}

/** The picture and what is read from it. */
export function CaptchaField({ desk, error }: { desk: CaptchaDesk; error: string | undefined }): ReactNode {
  return (
    <div className="visit-field">
      <label htmlFor="captcha">验证码<b aria-hidden="true">*</b></label>
      <div className="visit-captcha">
        <input id="captcha" value={desk.text} maxLength={4} autoComplete="off" autoCapitalize="off" required aria-invalid={error !== undefined} aria-describedby="captcha-error" onChange={event => desk.setText(event.target.value)} />
        <button type="button" onClick={() => void desk.renew()}>{desk.captcha?.image ? <img src={desk.captcha.image} alt="看不清？点击刷新" /> : '加载失败，点击重试'}</button>
      </div>
      <p id="captcha-error" className="visit-error">{error}</p>
    </div>
  )
}
