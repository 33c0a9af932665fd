/** Middle value; the mean of the two middle ones of an even number. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const high = sorted[Math.floor(sorted.length / 2)]
  const low = sorted[Math.floor((sorted.length - 1) / 2)]
  if (high === undefined || low === undefined) throw new Error('no values to take the median of')
  return (high + low) / 2
}

/** The value that `share` (0–1) of the values do not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const found = sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)]
  if (found === undefined) throw new Error('no values to take a percentile of')
  return found
}

/** Milliseconds that the work takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

/** Milliseconds of each of `count` runs, one after the other. */
export async function timedEach(count: number, work: (at: number) => Promise<unknown>): Promise<number[]> {
  const found: number[] = []
  for (let at = 0; at < count; at += 1) found.push(await timed(() => work(at)))
  return found
}

/** Figures of a subject and its baseline from rounds taken in turn. */
export type Compared = { subject: number[]; baseline: number[]; subject_median: number; baseline_median: number; ratio: number }

/**
 * Measures subject and baseline in turn, S B B S S B …, so that a machine that is slow for a while is slow for both. The ratio is
 * the median of the ratios of the rounds; the first round warms up and is not counted.
 */
export async function compare(rounds: number, subject: () => Promise<number>, baseline: () => Promise<number>): Promise<Compared> {
  const found: { subject: number[]; baseline: number[] } = { subject: [], baseline: [] }
  for (let round = 0; round <= rounds; round += 1) {
    const subject_first = round % 2 === 0
    const before = subject_first ? await subject() : await baseline()
    const after = subject_first ? await baseline() : await subject()
    if (round === 0) continue
    found.subject.push(subject_first ? before : after)
    found.baseline.push(subject_first ? after : before)
  }
  const ratios = found.subject.map((value, at) => value / (found.baseline[at] ?? Number.NaN))
  return { ...found, subject_median: median(found.subject), baseline_median: median(found.baseline), ratio: median(ratios) }
}

/** Answers a second of `lanes` callers that each ask again as soon as they are answered, over `ms`. */
export async function perSecond(lanes: number, ms: number, ask: (lane: number) => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  let answered = 0
  const lane = async (at: number) => {
    while (performance.now() - begun < ms) {
      await ask(at)
      answered += 1
    }
  }
  await Promise.all(Array.from({ length: lanes }, (_, at) => lane(at)))
  return (answered / (performance.now() - begun)) * 1000
}
