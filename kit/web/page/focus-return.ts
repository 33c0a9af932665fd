import { useLayoutEffect } from 'react'

const leaving = '.ant-zoom-leave'

/**
 * Gives the focus back to where it was once a dialog is gone, for dialogs that leave the page at once instead of closing themselves.
 * When that place is gone too (its row has left the list) the content takes it, so that Tab does not begin at the top again.
 * @param open whether the dialog stands
 */
export function useFocusReturn(open: boolean): void {
  // Before the dialog takes the focus, which it does later.
  useLayoutEffect(() => {
    if (!open) return
    const opener = document.activeElement
    return () => {
      // A frame later the dialog no longer holds the focus.
      requestAnimationFrame(() => giveBack(opener))
    }
  }, [open])
}

function giveBack(opener: Element | null): void {
  // A question that closes together with the dialog below it holds the focus until it is out of sight.
  if (document.activeElement?.closest(leaving)) {
    requestAnimationFrame(() => giveBack(opener))
    return
  }
  const main = document.querySelector('main')
  const is_free = [document.body, main].includes(document.activeElement instanceof HTMLElement ? document.activeElement : null)
  if (is_free && opener instanceof HTMLElement) opener.focus()
  if (document.activeElement === opener) followUp(opener)
  if (document.activeElement === document.body) main?.focus()
}

/** The row of the opener may leave the list a moment later, when the list is read again. */
function followUp(opener: Element | null): void {
  const main = document.querySelector('main')
  if (!opener || !main?.contains(opener)) return
  const watcher = new MutationObserver(() => {
    if (opener.isConnected) return
    watcher.disconnect()
    if (document.activeElement === document.body) main.focus()
  })
  watcher.observe(main, { childList: true, subtree: true })
  document.addEventListener('focusin', () => watcher.disconnect(), { once: true })
}
