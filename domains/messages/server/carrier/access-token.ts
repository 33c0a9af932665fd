import type { Clock } from '@kit/server/http'

/** What a provider gives for a secret, and for how many seconds. */
export type GivenToken = { token: string; seconds: number }

/** The provider no longer knows the token it was shown. */
export class StaleToken extends Error {}

type Kept = { given: Promise<GivenToken>; until: number }

/** Asked for anew a little before its end, so that it does not end on its way. */
const early_ms = 60_000

/**
 * Tokens of one running server, by whose they are. Many who ask at once share one request; a refusal is not kept.
 * A token that the provider has forgotten is asked for anew once.
 */
export function tokenShelf(clock: Clock) {
  const kept = new Map<string, Kept>()
  const tokenOf = (whose: string, fetchToken: () => Promise<GivenToken>): Kept => {
    const known = kept.get(whose)
    if (known && known.until > clock.now().getTime()) return known
    const fresh: Kept = { given: fetchToken(), until: Number.POSITIVE_INFINITY }
    kept.set(whose, fresh)
    fresh.given.then(
      ({ seconds }) => void (fresh.until = clock.now().getTime() + seconds * 1000 - early_ms),
      () => drop(whose, fresh),
    )
    return fresh
  }
  const drop = (whose: string, stale: Kept) => {
    if (kept.get(whose) === stale) kept.delete(whose)
  }
  return async <T>(whose: string, fetchToken: () => Promise<GivenToken>, run: (token: string) => Promise<T>): Promise<T> => {
    const first = tokenOf(whose, fetchToken)
    try {
      return await run((await first.given).token)
    } catch (error) {
      if (!(error instanceof StaleToken)) throw error
      drop(whose, first)
      return run((await tokenOf(whose, fetchToken).given).token)
    }
  }
}
