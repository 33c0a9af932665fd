import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { RefObject } from 'react'

const REFRESH_MS = 60_000

/** A dashboard on a wall: the whole screen, by F11 or its button, with figures that renew themselves while it is looked at. */
export function useWall(board: RefObject<HTMLElement | null>): { on: boolean; toggle: () => void } {
  const client = useQueryClient()
  const [on, setOn] = useState(false)
  useEffect(() => {
    const over = new AbortController()
    const { signal } = over
    document.addEventListener('fullscreenchange', () => setOn(document.fullscreenElement !== null && document.fullscreenElement === board.current), { signal })
    window.addEventListener('keydown', event => {
      if (event.key !== 'F11') return
      event.preventDefault()
      turn(board.current)
    }, { signal })
    return () => over.abort()
  }, [board])
  useEffect(() => {
    if (!on) return
    const timer = window.setInterval(() => {
      if (document.visibilityState === 'visible') void client.invalidateQueries({ refetchType: 'active' })
    }, REFRESH_MS)
    return () => window.clearInterval(timer)
  }, [on, client])
  return { on, toggle: () => turn(board.current) }
}

/** Browsers may refuse the whole screen; the page then simply stays as it is. */
function turn(board: HTMLElement | null): void {
  const done = document.fullscreenElement ? document.exitFullscreen() : board?.requestFullscreen()
  done?.catch(() => undefined)
}
