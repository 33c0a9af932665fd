import type { Clock } from '@kit/server/http'

/** A clock that starts at the real time and is moved by tests. */
export class TestClock implements Clock {
  #offset_ms = 0

  now(): Date {
    return new Date(Date.now() + this.#offset_ms)
  }

  /** Moves time forward. */
  advance(ms: number): void {
    this.#offset_ms += ms
  }
}
