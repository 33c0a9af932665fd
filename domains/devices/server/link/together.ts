import type { Db } from '../db.ts'

const together_ms = 200
type Desk = { tenant<R>(school_id: number, work: (db: Db) => Promise<R>): Promise<R>; now(): Date; warn(error: unknown): void }

/** What comes within a fifth of a second is told in one go, and one go after the other. */
export abstract class Together<T> {
  protected readonly desk: Desk
  #waiting: T[] = []
  #timer: NodeJS.Timeout | undefined
  #telling = Promise.resolve()

  constructor(desk: Desk) {
    this.desk = desk
  }

  protected abstract tell(told: readonly T[]): Promise<void>

  protected add(items: readonly T[]): void {
    this.#waiting.push(...items)
    if (items.length > 0) this.#timer ??= setTimeout(() => {
      const told = this.#waiting.splice(0)
      this.#timer = undefined
      this.#telling = this.#telling.then(() => this.tell(told)).catch((error: unknown) => this.desk.warn(error))
    }, together_ms)
  }

  /** Waits until nothing is told any more; what has just come is not told either. */
  async settled(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#telling
  }
}
