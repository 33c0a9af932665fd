/** Time as a terminal has it; tests bring their own. */
export type Clock = { /** Unix milliseconds */ now(): number; /** @returns what calls it off */ later(ms: number, work: () => void): () => void }

export const real_clock: Clock = {
  now: () => Date.now(),
  later(ms, work) {
    const timer = setTimeout(work, ms).unref()
    return () => clearTimeout(timer)
  },
}
