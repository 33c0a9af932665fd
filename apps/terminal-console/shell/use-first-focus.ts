import { useEffect, useRef } from 'react'
import type { RefObject } from 'react'

/** Puts the cursor into the first box of what has just opened: somebody at a terminal has come to type. */
export function useFirstFocus<T extends HTMLElement>(): RefObject<T | null> {
  const place = useRef<T>(null)
  useEffect(() => place.current?.querySelector('input')?.focus(), [])
  return place
}
