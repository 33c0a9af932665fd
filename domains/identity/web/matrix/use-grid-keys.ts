import { useEffect, useRef } from 'react'
import type { FocusEvent, KeyboardEvent, RefObject } from 'react'

const boxes = 'input[type=checkbox]'

/**
 * One stop of Tab for the whole grid: arrows move between the boxes, up and down to the nearest one, Home and End within the row. On a module
 * ← closes and → opens it.
 */
export function useGridKeys(table: RefObject<HTMLTableElement | null>, fold: (module: string, close: boolean) => void): { onKeyDown: (event: KeyboardEvent) => void; onFocus: (event: FocusEvent) => void } {
  const stop = useRef<HTMLInputElement>(null)
  // After every draw: the box that was the stop may have been folded away.
  useEffect(() => {
    const all = boxesOf(table.current)
    const chosen = stop.current && all.includes(stop.current) ? stop.current : all[0]
    for (const box of all) box.tabIndex = box === chosen ? 0 : -1
    stop.current = chosen ?? null
  })
  const onFocus = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLInputElement)) return
    if (stop.current) stop.current.tabIndex = -1
    target.tabIndex = 0
    stop.current = target
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { target } = event
    if (!(target instanceof HTMLInputElement)) return
    const module = target.closest('tr')?.dataset.module
    const sideways = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (module !== undefined && sideways !== undefined) fold(module, sideways < 0)
    const next = nextOf(table.current, target, event.key)
    if (sideways === undefined && next === undefined) return
    event.preventDefault()
    next?.focus()
  }
  return { onKeyDown, onFocus }
}

function nextOf(table: HTMLTableElement | null, from: HTMLInputElement, key: string): HTMLInputElement | undefined {
  const rows = [...(table?.querySelectorAll('tbody tr') ?? [])]
  const row = from.closest('tr')
  const own = boxesOf(row)
  const at = own.indexOf(from)
  if (key === 'ArrowLeft') return own[at - 1]
  if (key === 'ArrowRight') return own[at + 1]
  if (key === 'Home') return own[0]
  if (key === 'End') return own.at(-1)
  if (key !== 'ArrowUp' && key !== 'ArrowDown') return undefined
  const line = rows.findIndex(one => one === row) + (key === 'ArrowUp' ? -1 : 1)
  return nearest(boxesOf(rows[line]), from)
}

function nearest(among: readonly HTMLInputElement[], to: HTMLInputElement): HTMLInputElement | undefined {
  const { left } = to.getBoundingClientRect()
  const far = (box: HTMLInputElement) => Math.abs(box.getBoundingClientRect().left - left)
  return among.toSorted((a, b) => far(a) - far(b))[0]
}

function boxesOf(part: Element | null | undefined): HTMLInputElement[] {
  return [...(part?.querySelectorAll<HTMLInputElement>(boxes) ?? [])]
}
