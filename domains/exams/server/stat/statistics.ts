/** Lines of a paper in percent of its full marks (chapter 55 rule 35). */
export type Cuts = { excellent_pct: number; good_pct: number; pass_pct: number; low_pct: number }
export type Figures = {
  n: number; mean: number | null; median: number | null; sd: number | null; max: number | null; min: number | null; excellent: number | null; good: number | null; pass: number | null; low: number | null
}

const whole = 100
const mean_t = 50
const sd_t = 10
const top_share = 0.27

export const meanOf = (scores: readonly number[]) => (scores.length === 0 ? null : scores.reduce((sum, score) => sum + score, 0) / scores.length)

/** Population standard deviation. */
export function sdOf(scores: readonly number[]): number | null {
  const mean = meanOf(scores)
  return mean === null ? null : Math.sqrt(scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / scores.length)
}

/** The value at a share of sorted scores, between two of them where it falls there. */
function quantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share
  const [low = 0, high = 0] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]]
  return low + (high - low) * (at - Math.floor(at))
}

/** Figures of a group that really sat; rates in percent. */
export function figuresOf(scores: readonly number[], full: number, { excellent_pct, good_pct, pass_pct, low_pct }: Cuts): Figures {
  const sorted = scores.toSorted((a, b) => a - b)
  const n = sorted.length
  const rate = (test: (share: number) => boolean) => (n === 0 ? null : (sorted.filter(score => test((score / full) * whole)).length / n) * whole)
  return {
    n, mean: meanOf(sorted), median: n === 0 ? null : quantile(sorted, 1 / 2), sd: sdOf(sorted), max: sorted.at(-1) ?? null, min: sorted[0] ?? null,
    excellent: rate(share => share >= excellent_pct), good: rate(share => share >= good_pct), pass: rate(share => share >= pass_pct), low: rate(share => share < low_pct),
  }
}

/** 难度: mean through full marks. 区分度: mean of the best 27 % less mean of the last 27 %, through full marks; ties by exam number. */
export function itemFigures(rows: readonly { score: number; exam_no: string }[], full: number): { difficulty: number | null; discrimination: number | null } {
  const sorted = rows.toSorted((a, b) => b.score - a.score || a.exam_no.localeCompare(b.exam_no)).map(row => row.score)
  const group = Math.ceil(sorted.length * top_share)
  const [all, top, last] = [meanOf(sorted), meanOf(sorted.slice(0, group)), meanOf(sorted.slice(-group))]
  return { difficulty: all === null ? null : all / full, discrimination: top === null || last === null ? null : (top - last) / full }
}

/** 标准分 T of a score, or of a mean, in its grade. */
export function tOf(score: number, mean: number, sd: number): number {
  return sd === 0 ? mean_t : mean_t + (sd_t * (score - mean)) / sd
}

/** Ranks 1, 2, 2, 4: equal scores share the better rank. */
export function ranksOf(scores: readonly number[]): number[] {
  const first = new Map<number, number>()
  scores.toSorted((a, b) => b - a).forEach((score, at) => { if (!first.has(score)) first.set(score, at + 1) })
  return scores.map(score => first.get(score) ?? 0)
}

/** Share in percent of those who are not better: what exams of different sizes are compared by (rule 36). */
export function percentileOf(rank: number, n: number): number {
  return n <= 1 ? whole : ((n - rank) / (n - 1)) * whole
}

/** Counts in bins of equal width up to full marks; the last bin holds full marks too. */
export function binsOf(scores: readonly number[], full: number, width: number): { name: string; n: number }[] {
  const count = Math.ceil(full / width)
  const bins = Array.from({ length: count }, (_, at) => ({ name: at === count - 1 ? `${at * width}–${full}` : `${at * width}–${(at + 1) * width - 1}`, n: 0 }))
  for (const score of scores) {
    const bin = bins[Math.min(count - 1, Math.floor(score / width))]
    if (bin) bin.n += 1
  }
  return bins
}

/** 一分一段: how many have each whole mark, and how many that or more, from the best down. */
export function segmentsOf(scores: readonly number[]): { score: number; n: number; above: number }[] {
  const by_mark = Map.groupBy(scores, score => Math.floor(score))
  let above = 0
  return [...by_mark].toSorted(([a], [b]) => b - a).map(([score, group]) => {
    above += group.length
    return { score, n: group.length, above }
  })
}

/** Least, quartiles, most; null without scores. */
export function boxOf(scores: readonly number[]): [number, number, number, number, number] | null {
  const sorted = scores.toSorted((a, b) => a - b)
  return sorted.length === 0 ? null : [quantile(sorted, 0), quantile(sorted, 1 / 4), quantile(sorted, 1 / 2), quantile(sorted, 3 / 4), quantile(sorted, 1)]
}

/** Half up to so many decimals, at display only. */
export function rounded(value: number | null, decimals = 1): number | null {
  return value === null ? null : Math.floor(value * 10 ** decimals + 0.5 + 1e-9) / 10 ** decimals
}
