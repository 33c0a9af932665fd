import { token_refetch_ms } from '@kit/contract/checks'

/** Time as the keeper sees it; `after` answers how to take the appointment back. */
export type TokenClock = { now(): number; after(ms: number, act: () => void): () => void }

/** Keeps one upload token good while a page lives. */
export type TokenKeeper<T> = {
  /** the kept token, or a new one when there is none or it is too old (a computer that slept keeps no appointments) */
  get(): Promise<T>
  /** a new one in place of the kept, which a store has refused */
  renew(): Promise<T>
  stop(): void
}

const browser_clock: TokenClock = {
  now: () => Date.now(),
  after(ms, act) {
    const timer = window.setTimeout(act, ms)
    return () => window.clearTimeout(timer)
  },
}

/** Fetches at the first need, and 3,300,000 ms after each fetch again until it is stopped (platform rule F2). Calls at the same time share one fetch. */
export function keepToken<T>(fetchToken: () => Promise<T>, clock: TokenClock = browser_clock): TokenKeeper<T> {
  let kept: { token: T; fetched_at: number } | null = null
  let asking: Promise<T> | null = null
  let cancel = () => {}
  let is_stopped = false

  const ask = async () => {
    try {
      const token = await fetchToken()
      kept = { token, fetched_at: clock.now() }
      cancel()
      if (!is_stopped) cancel = clock.after(token_refetch_ms, () => void renew().catch(forget))
      return token
    } finally {
      asking = null
    }
  }
  const renew = () => (asking ??= ask())
  const forget = () => {
    // The next upload asks for itself and says what is wrong.
    kept = null
  }
  return {
    renew,
    get: () => (kept && clock.now() - kept.fetched_at < token_refetch_ms ? Promise.resolve(kept.token) : renew()),
    stop() {
      is_stopped = true
      cancel()
    },
  }
}
