import { useEffect, useState } from 'react'

const typing_ms = 250

/** The text once the typing has paused, without spaces around it. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(text.trim()), typing_ms)
    return () => window.clearTimeout(timer)
  }, [text])
  return settled
}
