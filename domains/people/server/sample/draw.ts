/** Draws numbers that are the same for the same seed on every machine (mulberry32 over a hash of the text). */
export type Draw = {
  /** 0 ≤ x < 1 */
  next(): number
  /** 0 ≤ n < below */
  below(n: number): number
  /** low ≤ n ≤ high */
  between(low: number, high: number): number
  /** true in `share` of the cases */
  chance(share: number): boolean
  pick<T>(items: readonly T[]): T
  /** one of the values, as often as its weight says */
  weighted<T>(items: readonly (readonly [T, number])[]): T
  shuffled<T>(items: readonly T[]): T[]
}

/** Draws of their own for one seed, so that a change of one subject does not move all others. */
export function drawFrom(seed: string): Draw {
  const next = stream(hashOf(seed))
  const below = (n: number) => Math.floor(next() * n)
  return {
    next,
    below,
    between: (low, high) => low + below(high - low + 1),
    chance: share => next() < share,
    pick: items => at(items, below(items.length)),
    weighted(items) {
      let left = next() * items.reduce((sum, [, weight]) => sum + weight, 0)
      return (items.find(([, weight]) => (left -= weight) < 0) ?? at(items, items.length - 1))[0]
    },
    shuffled: items =>
      items
        .map(value => ({ value, key: next() }))
        .toSorted((a, b) => a.key - b.key)
        .map(({ value }) => value),
  }
}

/** mulberry32: a stream of fractions from one 32-bit state. */
function stream(begin: number): () => number {
  let state = begin
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }
}

/** FNV-1a over the signs of the text. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (const sign of text) hash = Math.imul(hash ^ (sign.codePointAt(0) ?? 0), 0x01000193)
  return hash
}

function at<T>(items: readonly T[], index: number): T {
  const item = items[index]
  if (item === undefined) throw new Error('nothing to draw from')
  return item
}
