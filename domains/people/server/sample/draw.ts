/** Draws numbers that are the same for the same seed (mulberry32 over a hash of the text). */
export type Draw = {
  /** 0 ≤ x < 1 */
  next(): number
  /** 0 ≤ n < below */
  below(n: number): number
  pick<T>(items: readonly [T, ...T[]]): T
  weighted<T>(items: readonly (readonly [T, number])[]): T
}

export function drawFrom(seed: string): Draw {
  let state = [...seed].reduce((hash, sign) => Math.imul(hash ^ (sign.codePointAt(0) ?? 0), 0x01000193), 0x811c9dc5)
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }
  const below = (n: number) => Math.floor(next() * n)
  return {
    next,
    below,
    pick: items => items[below(items.length)] ?? items[0],
    weighted(items) {
      let left = next() * items.reduce((sum, [, weight]) => sum + weight, 0)
      const found = items.find(([, weight]) => (left -= weight) < 0) ?? items.at(-1)
      if (!found) throw new Error('nothing to draw from')
      return found[0]
    },
  }
}
