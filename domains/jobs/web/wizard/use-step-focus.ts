import { useLayoutEffect, useRef } from 'react'
import type { RefObject } from 'react'

/** Gives the focus to the body of the wizard when a step went away with the control that had it, so that Tab goes on from there. */
export function useStepFocus(step: string): RefObject<HTMLDivElement | null> {
  const body = useRef<HTMLDivElement>(null)
  const before = useRef(step)
  useLayoutEffect(() => {
    if (before.current === step) return
    before.current = step
    if (hasNoFocus()) body.current?.focus({ preventScroll: true })
  }, [step])
  return body
}

/** True while nothing that can be used has the focus: the page itself, or a drawer as a whole. */
export function hasNoFocus(): boolean {
  const held = document.activeElement
  return held === null || held === document.body || held.matches('.ant-drawer')
}
