/** A level of assigned scores: its share in percent, and the bounds of what is given. */
export type Level = { name: string; share: number; high: number; low: number }

/** 等级赋分 of the new college entrance examination (chapter 55 rule 37). */
const assign_levels: readonly Level[] = [
  { name: 'A', share: 15, high: 100, low: 86 }, { name: 'B', share: 35, high: 85, low: 71 }, { name: 'C', share: 35, high: 70, low: 56 },
  { name: 'D', share: 13, high: 55, low: 41 }, { name: 'E', share: 2, high: 40, low: 30 },
]
const [whole, half, floor_score] = [100, 0.5, 30] as const

/**
 * Assigned scores by raw scores: levels by cumulative shares (half up), who is tied with the last of a level joins it, inside a level a line between its
 * bounds; raw 0 gets the least. Order-preserving, between 30 and 100. Pure. @returns raw score → assigned score
 */
export function assignScores(raw: readonly number[], levels: readonly Level[] = assign_levels): Map<number, number> {
  const sorted = raw.toSorted((a, b) => b - a)
  const out = new Map<number, number>()
  let [from, share] = [0, 0]
  for (const level of levels) {
    share += level.share
    let to = Math.max(from, Math.floor((sorted.length * share) / whole + half))
    if (level === levels.at(-1)) to = sorted.length
    while (to > from && to < sorted.length && sorted[to] === sorted[to - 1]) to += 1
    const group = sorted.slice(from, to)
    const [best = 0, last = 0] = [group[0], group.at(-1)]
    for (const score of new Set(group)) out.set(score, score === 0 ? floor_score : between(score, { best, last }, level))
    from = to
  }
  return out
}

/** (s2−s)/(s−s1) = (t2−t)/(t−t1), half up; one raw score in a level gets its upper bound. */
function between(score: number, { best, last }: { best: number; last: number }, { high, low }: Level): number {
  if (best === last) return high
  return Math.floor(low + ((high - low) * (score - last)) / (best - last) + half)
}
