import { useEffect } from 'react'
import type { RefObject } from 'react'
import type { Place } from './grid-moves.ts'

/** Keeps the browser's focus on the cell of the cursor. */
export function useCellFocus(scroller: RefObject<HTMLDivElement | null>, place: Place | undefined, editing: boolean, row_height: number): void {
  // Rows out of sight are not in the page: the scroller moves first, the cell takes the focus when it is there.
  useEffect(() => {
    const box = scroller.current
    if (!box || !place || editing) return
    const top = place.r * row_height
    const sight = box.clientHeight - row_height * 2
    if (top < box.scrollTop) box.scrollTo({ top })
    else if (top > box.scrollTop + sight) box.scrollTo({ top: top - sight })
    const focus = () => {
      const cell = box.querySelector<HTMLElement>(`[data-at="${place.r}:${place.c}"]`)
      cell?.focus({ preventScroll: true })
      cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    }
    const frame = window.requestAnimationFrame(focus)
    return () => window.cancelAnimationFrame(frame)
  }, [scroller, place, editing, row_height])
}
