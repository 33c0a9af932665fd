import { useId, useLayoutEffect } from 'react'

const close_buttons = '.ant-modal-close, .ant-drawer-close'
const fields = 'input:not([type=hidden]):not([type=file]), textarea, select'
const safe_buttons = '.ant-modal-footer button:not(.ant-btn-dangerous)'

/**
 * Gives the focus of a dialog that opens to its first field, in a confirmation to its first button that destroys nothing: antd gives it
 * to 关闭, where Enter would throw the dialog away. A field that asks for the focus itself keeps it. While the dialog stands it keeps the
 * focus too when what held it goes (重试, 撤销), so that Tab goes on inside.
 * @param open whether the dialog stands
 * @returns the class name by which the panel of the dialog must be known
 */
export function useFirstFocus(open: boolean): string {
  const name = useId()
  useLayoutEffect(() => {
    if (!open) return
    // A frame later: on its way from one field to the next the focus is nowhere for a moment.
    const keeper = new MutationObserver(() => requestAnimationFrame(() => keepIn(name)))
    // Until a key or button is pressed the focus moves by itself only: the lock of a dialog below may still take it away and give it back.
    const pressed = new AbortController()
    const press = () => pressed.abort()
    const land = () => {
      const panel = panelOf(name)
      const held = document.activeElement
      if (!panel?.contains(held)) return
      keeper.observe(panel, { childList: true, subtree: true })
      if (!pressed.signal.aborted && (held === panel || held?.matches(close_buttons))) firstOf(panel)?.focus({ preventScroll: true })
    }
    land()
    document.addEventListener('focusin', land)
    for (const kind of ['keydown', 'pointerdown']) document.addEventListener(kind, press, { capture: true, signal: pressed.signal })
    return () => {
      document.removeEventListener('focusin', land)
      press()
      keeper.disconnect()
    }
  }, [open, name])
  return name
}

function keepIn(name: string): void {
  if (document.activeElement === document.body) panelOf(name)?.focus({ preventScroll: true })
}

function panelOf(name: string): HTMLElement | undefined {
  const [panel] = document.getElementsByClassName(name)
  return panel instanceof HTMLElement ? panel : undefined
}

function firstOf(panel: Element): HTMLElement | undefined {
  return chosenOf(readyIn(panel, fields)) ?? readyIn(panel, safe_buttons)[0]
}

/** Of radio buttons the chosen one: that is where Tab would land. */
function chosenOf([first, ...more]: readonly HTMLElement[]): HTMLElement | undefined {
  if (!(first instanceof HTMLInputElement) || first.type !== 'radio') return first
  return more.find(field => field instanceof HTMLInputElement && field.name === first.name && field.checked) ?? first
}

function readyIn(panel: Element, selector: string): HTMLElement[] {
  return [...panel.querySelectorAll<HTMLElement>(selector)].filter(part => !part.matches(':disabled') && part.checkVisibility())
}
