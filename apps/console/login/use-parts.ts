import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Login } from './login-state.ts'
import type * as later from './parts.tsx'

/** Everything that acts: it comes right after the first paint. */
export type Parts = typeof later

/** Runs an action of the later parts, when they have come; asks for them again where they could not be fetched. */
export type Run = (action: (parts: Parts) => void) => void

/** Fetches the later parts once the page is painted, and starts them. */
export function useParts(login: Login): { parts: Parts | null; run: Run } {
  const [parts, setParts] = useState<Parts | null>(null)
  const coming = useRef<Promise<Parts | void>>(null)
  const run: Run = action => {
    coming.current ??= import('./parts.tsx').then(
      loaded => {
        setParts(loaded)
        loaded.start(login)
        return loaded
      },
      () => {
        coming.current = null
        login.set({ captcha_state: 'failed' })
      },
    )
    void coming.current.then(loaded => loaded && action(loaded))
  }
  const begin = useEffectEvent(() => run(() => {}))
  useEffect(() => begin(), [])
  return { parts, run }
}
