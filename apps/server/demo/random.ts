/** Random choices that depend on nothing but the seed: the same seed gives the same people on every machine. */
export type Dice = {
  /** a whole number from `low` to `high`, both included */
  between(low: number, high: number): number
  /** true in `share` of the cases */
  chance(share: number): boolean
  pick<T>(list: readonly T[]): T
  /** one of the values, as often as its weight says */
  weighted<T>(list: readonly (readonly [T, number])[]): T
  shuffled<T>(list: readonly T[]): T[]
}

/** The seed of all demo data. */
export const demo_seed = '20261120'

/** Dice of their own for one subject, so that a change of one list does not move all others. */
export function diceOf(subject: string): Dice {
  const next = stream(`${demo_seed}:${subject}`)
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  const pick = <T>(list: readonly T[]) => at(list, between(0, list.length - 1))
  return { between, chance: share => next() < share, pick, weighted: list => weigh(list, next()), shuffled: list => shuffle(list, between) }
}

/** mulberry32: a stream of fractions from one 32-bit state. */
function stream(text: string): () => number {
  let state = hashOf(text)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** FNV-1a over the signs of the text. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (const sign of text) hash = Math.imul(hash ^ (sign.codePointAt(0) ?? 0), 0x01000193)
  return hash
}

function weigh<T>(list: readonly (readonly [T, number])[], share: number): T {
  const total = list.reduce((sum, [, weight]) => sum + weight, 0)
  let rest = share * total
  const found = list.find(([, weight]) => (rest -= weight) < 0)
  return (found ?? at(list, list.length - 1))[0]
}

function shuffle<T>(list: readonly T[], between: Dice['between']): T[] {
  const order = list.map(value => ({ value, key: between(0, 2 ** 30) }))
  return order.toSorted((a, b) => a.key - b.key).map(({ value }) => value)
}

function at<T>(list: readonly T[], index: number): T {
  const value = list[index]
  if (value === undefined) throw new Error('nothing to choose from')
  return value
}
