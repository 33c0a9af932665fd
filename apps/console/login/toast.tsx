import { useSyncExternalStore } from 'react'

type Tone = 'warning' | 'success'
type Toast = { id: number; text: string; tone: Tone }

/** Messages stay for two seconds unless the product says otherwise (product spec §9). */
const MESSAGE_MS = 2000

let current: Toast | null = null
let count = 0
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

/** Shows one message; a new one replaces the old. `duration` in milliseconds. */
export function showToast(text: string, tone: Tone = 'warning', duration = MESSAGE_MS): void {
  count += 1
  put({ id: count, text, tone })
  clearTimeout(timer)
  timer = setTimeout(() => put(null), duration)
}

/** Where messages appear. A modal dialog makes everything outside it silent, so each dialog holds one of its own. */
export function Toasts() {
  const toast = useSyncExternalStore(subscribe, () => current)
  return (
    <div className="toasts" role="alert">
      {toast && (
        <p key={toast.id} className={`toast toast-${toast.tone}`}>
          <span className="toast-sign" aria-hidden="true">{toast.tone === 'success' ? '✓' : '!'}</span>
          {toast.text}
        </p>
      )}
    </div>
  )
}

function put(toast: Toast | null): void {
  current = toast
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
