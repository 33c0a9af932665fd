import { useEffect, useId, useLayoutEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { Toasts } from './toast.tsx'

type Props = {
  title: string
  /** width of the dialog */
  size: 'narrow' | 'wide'
  /** absent: the dialog cannot be dismissed, Esc included */
  onCancel?: () => void
  children: ReactNode
}

/** A modal dialog on the browser's own: everything behind it is inert. The cross comes last, so that opening focuses the content. */
export function Modal({ title, size, onCancel, children }: Props) {
  const box = useRef<HTMLDialogElement>(null)
  const title_id = useId()
  useLayoutEffect(() => {
    const dialog = box.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  useInertEscape(onCancel === undefined)
  return (
    <dialog
      ref={box}
      className={`modal modal-${size}`}
      aria-labelledby={title_id}
      onCancel={event => {
        event.preventDefault()
        onCancel?.()
      }}
    >
      <h2 id={title_id}>{title}</h2>
      {children}
      {onCancel && <button type="button" className="modal-close" aria-label="关闭" onClick={onCancel}>×</button>}
      <Toasts />
    </dialog>
  )
}

/** A browser closes a dialog on the second Esc whatever its cancel event says; only the key itself can be stopped. */
function useInertEscape(inert: boolean): void {
  useEffect(() => {
    if (!inert) return
    const stop = (event: KeyboardEvent) => {
      if (event.key === 'Escape') event.preventDefault()
    }
    document.addEventListener('keydown', stop, true)
    return () => document.removeEventListener('keydown', stop, true)
  }, [inert])
}
