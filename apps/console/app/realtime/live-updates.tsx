import { startRealtime, useOffline, useRealtime } from '@kit/web'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { useOwnNews } from './use-own-news.ts'

/** The page has what it needs when nothing has been asked for since the last look. */
const LOOK_MS = 1000

/** Keeps the shell fresh: what this person is told, and the strip that says when he is only told now and then. Stands once in the layout. */
export function LiveUpdates(): ReactNode {
  const state = useRealtime()
  const offline = useOffline()
  useStartWhenIdle()
  useOwnNews()
  if (state !== 'polling' || offline) return null
  return <div className="app-offline" role="status">实时连接不可用，已切换为定时刷新</div>
}

/** The connection is no part of opening a page: its code comes after everything else. */
function useStartWhenIdle(): void {
  const client = useQueryClient()
  useEffect(() => {
    let stop: (() => void) | undefined
    const timer = window.setInterval(() => {
      if (client.isFetching() > 0) return
      window.clearInterval(timer)
      stop = startRealtime()
    }, LOOK_MS)
    return () => {
      window.clearInterval(timer)
      stop?.()
    }
  }, [client])
}
