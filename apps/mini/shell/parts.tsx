import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'

type Button = { text: string; act: () => void }

/** One sentence in the place of a page, and what to do next. */
export function Notice({ title, about, button, second }: { title: string; about?: string; button: Button; second?: Button }): ReactNode {
  return (
    <main className="notice">
      <h1>{title}</h1>
      {about !== undefined && <p>{about}</p>}
      <div className="notice-buttons">
        <button type="button" className="button button-first" onClick={button.act}>{button.text}</button>
        {second && <button type="button" className="button" onClick={second.act}>{second.text}</button>}
      </div>
    </main>
  )
}

/** A card with its heading. */
export function Card({ title, side, children }: { title: string; side?: ReactNode; children: ReactNode }): ReactNode {
  return (
    <section className="card" aria-label={title}>
      <header className="card-head"><h2>{title}</h2>{side}</header>
      {children}
    </section>
  )
}

/** What could not be fetched, and another try. */
export function Failed({ msg, onAgain }: { msg: string; onAgain: () => void }): ReactNode {
  return (
    <div className="failed" role="alert">
      <p>{msg}</p>
      <button type="button" className="button" onClick={onAgain}>重试</button>
    </div>
  )
}

/** Grey bars while something is fetched. */
export function Bars({ rows }: { rows: number }): ReactNode {
  return (
    <div className="bars" role="status" aria-label="加载中">
      {Array.from({ length: rows }, (_, at) => <span key={at} />)}
    </div>
  )
}

/** A line that says what has happened, for a moment, and reads it out. */
export function Toast({ msg, onGone }: { msg: string; onGone: () => void }): ReactNode {
  const gone = useRef(onGone)
  useEffect(() => {
    gone.current = onGone
  }, [onGone])
  useEffect(() => {
    if (msg === '') return
    const timer = window.setTimeout(() => gone.current(), shown_ms)
    return () => window.clearTimeout(timer)
  }, [msg])
  return <div className="toast-place" role="status">{msg !== '' && <p className="toast">{msg}</p>}</div>
}

const shown_ms = 2000
