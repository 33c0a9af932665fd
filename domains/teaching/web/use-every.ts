import { useEffect, useRef } from 'react'

const every_ms = 3000

/** Looks again every three seconds while it is on, e.g. while pupils choose; not while the window is hidden. */
export function useEvery(on: boolean, look: () => void): void {
  const latest = useRef(look)
  useEffect(() => {
    latest.current = look
  }, [look])
  useEffect(() => {
    if (!on) return
    const timer = window.setInterval(() => document.visibilityState === 'visible' && latest.current(), every_ms)
    return () => window.clearInterval(timer)
  }, [on])
}
