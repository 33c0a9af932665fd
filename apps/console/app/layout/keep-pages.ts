/** At most so many pages are kept behind the current one. */
export const KEPT_LIMIT = 8

type Kept = { path: string }

/** The kept pages after one was visited: it stands last with its newest facts, the oldest goes when there are too many. */
export function keepPage<T extends Kept>(kept: readonly T[], visited: T, limit = KEPT_LIMIT): T[] {
  return [...kept.filter((page) => page.path !== visited.path), visited].slice(-limit)
}
