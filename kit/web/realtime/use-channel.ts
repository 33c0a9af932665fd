import { channelOf } from '@kit/contract'
import type { ChannelFact } from '@kit/contract'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import type { z } from 'zod'
import { listen, onRealtimeChange, realtimeState } from './listeners.ts'
import type { RealtimeState } from './listeners.ts'

type Hearing = {
  /** which one of a family: `job:{no}` of this number; null = nothing yet */
  of?: string | null
  /** something was missed: ask for everything again, once */
  onGap?: () => void
  /** false = not listening now */
  on?: boolean
}

/** Hears a channel while the component is there. The server decides who may; a tab that may not hears nothing. */
export function useChannel<R extends z.ZodObject>({ name, row }: ChannelFact<R>, onRows: (rows: z.output<R>[]) => void, { of, onGap, on = true }: Hearing = {}): void {
  const latest = useRef({ onRows, onGap, row })
  useEffect(() => {
    latest.current = { onRows, onGap, row }
  })
  const ch = on && of !== null ? channelOf(name, of) : null
  useEffect(() => {
    if (ch === null) return undefined
    return listen(ch, {
      rows: (rows) => {
        const known: z.output<R>[] = []
        for (const one of rows) {
          const read = latest.current.row.safeParse(one)
          if (read.success) known.push(read.data)
        }
        if (known.length > 0) latest.current.onRows(known)
      },
      gap: () => latest.current.onGap?.(),
    })
  }, [ch])
}

/** Whether this browser is told what happens; while it is not, screens that must stay fresh ask by themselves. */
export function useRealtime(): RealtimeState {
  return useSyncExternalStore(onRealtimeChange, realtimeState)
}
