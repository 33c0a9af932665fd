import { useEffect, useState } from 'react'
import type { KeyboardEvent, PointerEvent } from 'react'
import { firstPlace, stepped, within } from './place.ts'
import type { Place } from './place.ts'

/** The handle by which the popup is moved: by mouse or finger, or by arrow keys while it has the focus. */
export type Handle = { onPointerDown: (event: PointerEvent) => void; onPointerMove: (event: PointerEvent) => void; onPointerUp: () => void; onKeyDown: (event: KeyboardEvent) => void }

const windowSize = () => ({ width: window.innerWidth, height: window.innerHeight })

/** Where the popup stands, its handle, and whether it is being moved: a frame below the pointer would swallow the movement. */
export function usePlace(): { place: Place; handle: Handle; moving: boolean } {
  const [place, setPlace] = useState(() => firstPlace(windowSize()))
  const [grip, setGrip] = useState<Place | null>(null)
  useEffect(() => {
    const keepInside = () => setPlace(before => within(before, windowSize()))
    window.addEventListener('resize', keepInside)
    return () => window.removeEventListener('resize', keepInside)
  }, [])
  const handle: Handle = {
    onPointerDown: event => {
      event.currentTarget.setPointerCapture(event.pointerId)
      setGrip({ x: event.clientX - place.x, y: event.clientY - place.y })
    },
    onPointerMove: event => {
      if (grip) setPlace(within({ x: event.clientX - grip.x, y: event.clientY - grip.y }, windowSize()))
    },
    onPointerUp: () => setGrip(null),
    onKeyDown: event => {
      const next = stepped(place, event.key, windowSize())
      if (!next) return
      event.preventDefault()
      setPlace(next)
    },
  }
  return { place, handle, moving: grip !== null }
}
