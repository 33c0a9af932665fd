/** Rows that a device took in its last commands of a kind, and how long that was. */
export type Pace = { rows_done: number; spent_ms: number }
/** What waits for a device of one kind: how many rows, how many of these are in the command under way and for how long it has been, and its pace; null where it was never seen. */
export type Waiting = { rows: number; under_way: number; since_ms: number; pace: Pace | null }

/** How much less a command counts than the one after it: a device is as fast as it is now, and not as it was while the whole school was being photographed. */
const fading = 0.7

/** The pace of commands, the last one last (chapter 30 rule 7). Whole numbers whose ratio is that of the weighted sums. */
export function paceOf(taken: readonly { rows: number; spent_ms: number }[]): Pace {
  const [rows, spent_ms] = taken.reduce(([so_far, spent], one) => [so_far * fading + one.rows, spent * fading + one.spent_ms], [0, 0])
  const rows_done = Math.max(1, Math.round(rows))
  return { rows_done, spent_ms: Math.max(1, Math.round((spent_ms * rows_done) / Math.max(rows, 1))) }
}

/**
 * In how many seconds a device will have everything that waits for it: each kind by its own pace, less what has passed of the command under way. One that takes longer than it should is about to end.
 * @returns seconds, 0 when nothing waits, null when nobody knows
 */
export function secondsLeft(waiting: readonly Waiting[]): number | null {
  let left_ms = 0
  for (const { rows, under_way, since_ms, pace } of waiting) {
    if (pace === null) return null
    const row_ms = pace.spent_ms / pace.rows_done
    left_ms += rows * row_ms - Math.min(Math.max(since_ms, 0), under_way * row_ms)
  }
  return left_ms > 0 ? Math.max(1, Math.round(left_ms / 1000)) : 0
}
