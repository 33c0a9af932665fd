const first_ms = 1000
const longest_ms = 30_000

/** How long to wait before the next attempt after so many that failed: from 1 to 30 seconds, doubling, spread so that a school does not come back at once. */
export function retryWait(failed: number, random: number): number {
  const most = Math.min(longest_ms, first_ms * 2 ** Math.min(failed, 10))
  return Math.round(Math.max(first_ms, most * (0.5 + random / 2)))
}
