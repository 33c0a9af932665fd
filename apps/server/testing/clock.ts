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

  /** Sets the time to a moment, `2026-09-02T10:00:00+08:00`, whatever hour it is where the tests run. */
  setTo(moment: string): void {
    this.advance(Date.parse(moment) - this.now().getTime())
  }
}
