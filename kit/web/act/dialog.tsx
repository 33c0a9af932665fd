import { lazy, Suspense, useState, useTransition } from 'react'
import type { ComponentType, LazyExoticComponent, ReactNode } from 'react'

/** A dialog whose code is fetched when it is first opened; declared once beside the page, outside of components. */
export function lazyDialog<P>(load: () => Promise<ComponentType<P>>): LazyExoticComponent<ComponentType<P>> {
  return lazy(async () => ({ default: await load() }))
}

/** The one open dialog or drawer of a page. */
export type Dialog = {
  /** shows the element; the old one stays until its code has arrived */
  open: (element: ReactNode) => void
  close: () => void
  /** true while the code of a dialog is on its way */
  opening: boolean
  /** stands at the end of the page */
  dialog: ReactNode
}

/** Opens dialogs of a page as JSX: `open(<AddDialog onClose={close} onDone={written} />)`. */
export function useDialog(): Dialog {
  const [shown, show] = useState<ReactNode>(null)
  const [opening, start] = useTransition()
  return { open: element => start(() => show(element)), close: () => show(null), opening, dialog: <Suspense>{shown}</Suspense> }
}
