import { useEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'

/** Height in px of an element, followed as it changes. */
export function useHeight(): [RefObject<HTMLDivElement | null>, number] {
  const ref = useRef<HTMLDivElement>(null)
  const [height, setHeight] = useState(0)
  useEffect(() => {
    const element = ref.current
    if (!element) return
    const observer = new ResizeObserver(() => setHeight(Math.floor(element.clientHeight)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, height]
}
