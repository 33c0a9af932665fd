/** Counts hits per subject in windows of one minute; memory of one process, bounded. */
export class MinuteWindow {
  #minute = 0
  #hits = new Map<string, number>()

  /** @returns seconds to wait, or 0 when the hit is allowed */
  hit(subject: string, limit: number, now: Date): number {
    const minute = Math.floor(now.getTime() / 60_000)
    if (minute !== this.#minute || this.#hits.size > 100_000) {
      this.#minute = minute
      this.#hits.clear()
    }
    const count = (this.#hits.get(subject) ?? 0) + 1
    this.#hits.set(subject, count)
    return count > limit ? 60 - (Math.floor(now.getTime() / 1000) % 60) : 0
  }
}
