import { useCallback, useEffect, useRef, useState } from 'react'
import { getCaptcha } from './calls.ts'
import { showToast } from './toast.tsx'
import type { Captcha } from './wire.ts'

export type CaptchaState = {
  state: 'loading' | 'ready' | 'failed'
  /** the picture shown; while loading still the previous one */
  captcha: Captcha | null
  /** fetches a new picture; ignored while one is on its way */
  refresh: () => void
  /** fetches a new picture if the one shown has run out */
  refreshStale: () => void
}

/** The picture captcha of the form, with the encryption key that belongs to it. */
export function useCaptcha(): CaptchaState {
  const [state, setState] = useState<CaptchaState['state']>('loading')
  const [captcha, setCaptcha] = useState<Captcha | null>(null)
  const running = useRef(false)
  const dead_at = useRef(Infinity)

  const refresh = useCallback(async () => {
    if (running.current) return
    running.current = true
    setState('loading')
    const answer = await getCaptcha('login')
    running.current = false
    if (answer.kind !== 'ok') {
      setState('failed')
      showToast(answer.msg)
      return
    }
    dead_at.current = performance.now() + answer.data.expire_seconds * 1000
    setCaptcha(answer.data)
    setState('ready')
  }, [])
  const refreshStale = useCallback(() => {
    if (performance.now() > dead_at.current) void refresh()
  }, [refresh])

  useEffect(() => void refresh(), [refresh])
  return { state, captcha, refresh, refreshStale }
}
