/** A job's progress as seen at one moment; `at` in ms. */
export type Sample = { stage: string | null; done: number; at: number }

const MINUTE_S = 60

/** How long a job still needs at the pace since `first`; undefined while nothing can be told. */
export function remainingText(first: Sample, now: Sample, total: number): string | undefined {
  const done = now.done - first.done
  const passed_s = (now.at - first.at) / 1000
  if (done <= 0 || passed_s <= 0 || total <= now.done) return undefined
  const left_s = Math.ceil(((total - now.done) * passed_s) / done)
  return left_s < MINUTE_S ? `剩余约 ${left_s} 秒` : `剩余约 ${Math.ceil(left_s / MINUTE_S)} 分钟`
}
