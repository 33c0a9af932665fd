import { readerApi } from '@campus/devices/contract'
import type { ReaderDesk as Desk } from '@campus/devices/contract'
import { call, sentenceOf, tabLock } from '@kit/web'
import { useCallback, useEffect, useRef, useState } from 'react'
import { permitNext, permittedReader, whyNotAt } from './reader-address.ts'
import { askReader } from './reader-ask.ts'
import { readCards } from './reader-loop.ts'
import type { ReadCard, ReaderConfig } from './reader-loop.ts'
import { needs_reload } from './reader-words.ts'
import type { ReaderState } from './reader-words.ts'

/** How long a page has the workstation's reader for itself after its last word (chapter 31 §8). */
const lease_ms = 15_000

/** A reader as a page has it. `sentence`: what to do, when there is something; `reload` is there when the page has to be fetched again to reach this reader. */
export type Reader = { state: ReaderState; sentence: string | null; is_on: boolean; turn(on: boolean): void; reload: (() => void) | null }
type Reached = Pick<Desk, 'reader_ip' | 'port' | 'mode'>

/**
 * Reads cards at a desk of this workstation as long as the page is seen; `heard` is told each card once when it is laid down.
 * One page at a time has the reader.
 */
export function useReader(desk: Reached | null, heard: (card: ReadCard) => void): Reader {
  const [is_on, turn] = useState(false)
  const [told, tell] = useState<{ state: ReaderState; sentence: string | null }>({ state: 'off', sentence: null })
  const latest = useRef(heard)
  useEffect(() => {
    latest.current = heard
  })
  const { reader_ip: ip, port, mode } = desk ?? {}
  const is_seen = useSeen()
  useEffect(() => {
    if (!is_on || !is_seen || ip === undefined || port === undefined || mode === undefined) return tell(now => (now.state === 'off' ? now : { state: 'off', sentence: null }))
    const address = { ip, port }
    const refusal = whyNotAt(address, location.protocol, permittedReader())
    if (refusal !== null) return tell({ state: 'error', sentence: refusal })
    const stop = new AbortController()
    const say = (state: ReaderState, sentence: string | null) => {
      if (!stop.signal.aborted) tell({ state, sentence })
    }
    void readCards({
      ask: (name, body) => askReader(address, name, body, stop.signal),
      config: () => configOf(mode),
      lease: tabLock(crypto.getRandomValues(new Uint32Array(2)).join('-'), { name: 'readerLock', hold_ms: lease_ms }),
      wait: ms => new Promise(resolve => setTimeout(resolve, ms)),
      tell: say,
      heard: card => latest.current(card),
    }, stop.signal)
    return () => stop.abort()
  }, [is_on, is_seen, ip, port, mode])
  const reload = useCallback(() => {
    if (ip === undefined || port === undefined) return
    permitNext({ ip, port })
    location.reload()
  }, [ip, port])
  return { ...told, is_on, turn, reload: told.sentence === needs_reload ? reload : null }
}

/** What a reader is set to; the key of cards that need one comes sealed from the server, for this once. */
async function configOf(mode: ReaderConfig['mode']): Promise<ReaderConfig> {
  if (mode === 'uid') return { mode }
  const { sector, key } = await call(readerApi.social_cfg, {}, { quiet: true }).catch((cause: unknown) => {
    throw new Error(sentenceOf(cause))
  })
  return { mode, sector, key }
}

/** Whether the page is before somebody's eyes. */
function useSeen(): boolean {
  const [is_seen, see] = useState(() => document.visibilityState === 'visible')
  useEffect(() => {
    const look = () => see(document.visibilityState === 'visible')
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  return is_seen
}
