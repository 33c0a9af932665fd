import type { Fault } from '@kit/terminal-protocol/console'
import { useCallback, useEffect, useState } from 'react'
import { faultText, useWords } from '../words/words.ts'
import { Refused } from './ask.ts'
import { say } from './toast.tsx'

/** Whether the device is there, what it answered last, and how to ask again at once. */
export type Watched<T> = { data: T | undefined; is_away: boolean; again: () => void }

/** Asks when the page opens and, with `every_ms`, again and again while it is in sight. */
export function useWatched<T>(fetchIt: () => Promise<T>, every_ms?: number): Watched<T> {
  const [state, setState] = useState<{ data?: T; is_away: boolean }>({ is_away: false })
  const again = useCallback(() => {
    fetchIt().then(
      data => setState({ data, is_away: false }),
      () => setState(before => ({ ...before, is_away: true })),
    )
  }, [fetchIt])
  useEffect(() => {
    again()
    if (every_ms === undefined) return
    const timer = setInterval(() => document.visibilityState === 'visible' && again(), every_ms)
    return () => clearInterval(timer)
  }, [again, every_ms])
  return { data: state.data, is_away: state.is_away, again }
}

/** Does something at the device; what it refuses is answered, and what has no field of its own is said. */
export function useWork(): { is_busy: boolean; work: (task: () => Promise<unknown>) => Promise<readonly Fault[] | undefined> } {
  const { t } = useWords()
  const [is_busy, setBusy] = useState(false)
  const work = async (task: () => Promise<unknown>) => {
    setBusy(true)
    try {
      await task()
      return undefined
    } catch (cause) {
      const faults = cause instanceof Refused ? cause.faults : []
      const loose = faults.find(fault => fault.key === undefined)
      if (loose) say(faultText(t, loose), true)
      if (faults.length === 0) say(t('say.offline'), true)
      return faults
    } finally {
      setBusy(false)
    }
  }
  return { is_busy, work }
}
