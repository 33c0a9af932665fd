import { useEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'

const SPARE = 6

/** Which rows of equal height are in sight of a scroller, with a few spare ones around; `end` is excluded. */
export function useWindow(count: number, row_height: number): { scroller: RefObject<HTMLDivElement | null>; start: number; end: number } {
  const scroller = useRef<HTMLDivElement>(null)
  const [sight, setSight] = useState({ top: 0, height: 800 })
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const look = () => setSight({ top: element.scrollTop, height: element.clientHeight })
    const observer = new ResizeObserver(look)
    observer.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [])
  const first = Math.floor(sight.top / row_height)
  const shown = Math.ceil(sight.height / row_height)
  return { scroller, start: Math.max(0, first - SPARE), end: Math.min(count, first + shown + SPARE) }
}
