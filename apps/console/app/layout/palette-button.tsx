import { SearchOutlined } from '@ant-design/icons'
import { lazy, Suspense, useEffect, useState } from 'react'
import type { ReactNode } from 'react'

const PaletteHost = lazy(() => import('../palette/palette-host.tsx').then((part) => ({ default: part.PaletteHost })))

/** 快速查找: opens by click or by Ctrl+K from anywhere but an open dialog, whose work it would leave. Its code comes with the first opening. */
export function PaletteButton({ folded }: { folded: boolean }): ReactNode {
  const [open, setOpen] = useState(false)
  const [opened, setOpened] = useState(false)
  const show = () => {
    setOpened(true)
    setOpen(true)
  }
  useCtrlK(show)
  return (
    <>
      <button type="button" className="app-find" aria-label={folded ? '快速查找' : undefined} aria-keyshortcuts="Control+K" title={folded ? '快速查找（Ctrl+K）' : undefined} onClick={show}>
        <SearchOutlined />
        {!folded && <span>快速查找</span>}
        {!folded && <kbd aria-hidden>Ctrl K</kbd>}
      </button>
      <Suspense>{opened && <PaletteHost open={open} onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}

function useCtrlK(show: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
      // The browser's own use of the key would take the person out of the page, whatever is open.
      event.preventDefault()
      if (!dialogOpen()) show()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  })
}

function dialogOpen(): boolean {
  return [...document.querySelectorAll('[role="dialog"]')].some((dialog) => dialog.checkVisibility())
}
