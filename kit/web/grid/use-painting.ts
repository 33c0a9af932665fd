import { useRef, useState } from 'react'
import type { KeyboardEvent, PointerEvent, RefObject } from 'react'
import { moved, painted } from './paint.ts'
import type { Spot } from './paint.ts'

type Painting = {
  rows: number
  columns: number
  wraps: boolean
  first: Spot
  keyAt: (spot: Spot) => string | null
  onPaint?: ((keys: string[]) => void) | undefined
  onOpen?: ((key: string) => void) | undefined
  onKey?: ((key: string, cell: string) => boolean) | undefined
}
type Handlers = { onKeyDown: (event: KeyboardEvent) => void; onPointerDown: (event: PointerEvent) => void; onPointerOver: (event: PointerEvent) => void; onPointerUp: () => void; onPointerLeave: () => void; onDoubleClick: (event: { target: EventTarget }) => void }

/** Which cell has the focus, and what keys and pointer do: a press begins a run of cells, a drag or Shift with an arrow extends it. */
export function usePainting({ rows, columns, wraps, first, keyAt, onPaint, onOpen, onKey }: Painting): { area: RefObject<HTMLDivElement | null>; focus: Spot; handlers: Handlers } {
  const area = useRef<HTMLDivElement>(null)
  const [focus, setFocus] = useState(first)
  const [from, setFrom] = useState<Spot | null>(null)
  const [dragging, drag] = useState(false)
  const paint = (begin: Spot, end: Spot) => onPaint?.(painted(begin, end, columns, wraps).flatMap(spot => keyAt(spot) ?? []))
  const goTo = (spot: Spot, is_longer: boolean) => {
    const begin = is_longer ? (from ?? focus) : spot
    setFocus(spot)
    setFrom(begin)
    paint(begin, spot)
    area.current?.querySelector<HTMLElement>(`[data-spot="${spot.row}-${spot.column}"]`)?.focus()
  }
  const open = (spot: Spot | null) => {
    const key = spot && keyAt(spot)
    if (key !== null) onOpen?.(key)
  }
  const handlers: Handlers = {
    onKeyDown: event => {
      // Assistive technology moves the focus by itself: keys act on the cell that has it.
      const at = spotOf(event.target) ?? focus
      const key = keyAt(at)
      const to = moved(at, event.key, { rows, columns }, wraps)
      if (to) goTo(to, event.shiftKey)
      else if (event.key === 'Enter') open(at)
      else if (key === null || event.ctrlKey || event.metaKey || onKey?.(event.key, key) !== true) return
      event.preventDefault()
    },
    onPointerDown: event => {
      const spot = spotOf(event.target)
      if (!spot || event.button !== 0) return
      drag(onPaint !== undefined)
      goTo(spot, event.shiftKey)
      event.preventDefault()
    },
    onPointerOver: event => {
      const spot = spotOf(event.target)
      if (!dragging || !spot || !from) return
      setFocus(spot)
      paint(from, spot)
    },
    onPointerUp: () => drag(false),
    onPointerLeave: () => drag(false),
    onDoubleClick: event => open(spotOf(event.target)),
  }
  return { area, focus, handlers }
}

function spotOf(target: EventTarget): Spot | null {
  const spot = target instanceof Element ? target.closest<HTMLElement>('[data-spot]')?.dataset['spot'] : undefined
  const [row, column] = spot?.split('-').map(Number) ?? []
  return row === undefined || column === undefined ? null : { row, column }
}
