import { useEffect, useSyncExternalStore } from 'react'
import type { ReactNode } from 'react'

const shown_ms = 4000
let shown = { text: '', is_fault: false }
let onChange = (): void => undefined

/** Says what has happened, for a moment, and reads it out. */
export function say(text: string, is_fault = false): void {
  shown = { text, is_fault }
  onChange()
}

/** The place where it stands. */
export function Toast(): ReactNode {
  const { text, is_fault } = useSyncExternalStore(listen, () => shown)
  useEffect(() => {
    const timer = setTimeout(() => say(''), shown_ms)
    return () => clearTimeout(timer)
  }, [text])
  return <div className="toast-place" role="status">{text !== '' && <p className={is_fault ? 'toast toast-fault' : 'toast'}>{text}</p>}</div>
}

function listen(work: () => void): () => void {
  onChange = work
  return () => {
    onChange = () => undefined
  }
}
