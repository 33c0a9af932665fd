import type { Clock } from '../clock.ts'
import type { AccessRecord, Vf105Store } from './store.ts'

const [first_wait_ms, longest_wait_ms, second_ms] = [5000, 60_000, 1000]

/**
 * Sends the records one at a time, the oldest first, the next when the last one is taken; a record that nobody takes holds up all behind it, later and later
 * (chapter 31 §5.4). A new record or a new connection begins the waiting anew.
 */
export class Uploader {
  readonly #store: Vf105Store
  readonly #clock: Clock
  readonly #send: (record: AccessRecord) => boolean
  #cancel: (() => void) | undefined
  #wait_ms = first_wait_ms
  #out: number | undefined

  /** @param send false when there is no connection */
  constructor(store: Vf105Store, clock: Clock, send: (record: AccessRecord) => boolean) {
    this.#store = store
    this.#clock = clock
    this.#send = send
  }

  /** Something is new: tries at once, unless a record is under way. */
  wake(): void {
    this.#wait_ms = first_wait_ms
    if (this.#out === undefined) this.#next()
  }

  /** The line is gone; what was under way is sent again. */
  stop(): void {
    this.#cancel?.()
    this.#out = undefined
  }

  /** An answer came; only one that takes the record under way counts. */
  answered(serial: string, is_taken: boolean): void {
    if (serial !== String(this.#out)) return
    this.#cancel?.()
    const id = Number(serial)
    this.#out = undefined
    if (!is_taken) return this.#later()
    this.#store.taken(id)
    this.#wait_ms = first_wait_ms
    this.#next()
  }

  #next(): void {
    this.#cancel?.()
    const record = this.#store.waiting()
    if (!record) return
    // The answer may be quicker than this line.
    this.#out = record.id
    this.#cancel = this.#clock.later(this.#store.number('mqtt', 'timeout') * second_ms, () => {
      this.#out = undefined
      this.#later()
    })
    if (!this.#send(record)) this.stop()
  }

  #later(): void {
    this.#cancel = this.#clock.later(this.#wait_ms, () => this.#next())
    this.#wait_ms = Math.min(this.#wait_ms * 2, longest_wait_ms)
  }
}
