import type { Clock } from '../clock.ts'

/** Time that passes when it is told to. */
export class ManualClock implements Clock {
  #now: number
  #due: { at: number; work: () => void }[] = []

  constructor(now: number) {
    this.#now = now
  }

  now(): number {
    return this.#now
  }

  later(ms: number, work: () => void): () => void {
    const one = { at: this.#now + ms, work }
    this.#due.push(one)
    return () => {
      this.#due = this.#due.filter(other => other !== one)
    }
  }

  /** Lets time pass; what falls due happens in its order. */
  pass(ms: number): void {
    const until = this.#now + ms
    for (let next = this.#next(until); next; next = this.#next(until)) {
      this.#now = next.at
      this.#due = this.#due.filter(one => one !== next)
      next.work()
    }
    this.#now = until
  }

  #next(until: number): { at: number; work: () => void } | undefined {
    return this.#due.filter(one => one.at <= until).toSorted((a, b) => a.at - b.at)[0]
  }
}
