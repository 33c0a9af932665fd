import type { TerminalStore } from './store.ts'
import { Ack } from './down.ts'

const items_per_message = 100

/** What has happened goes up, oldest first; the next records go when these are acknowledged. */
export class Uploads {
  readonly #store: TerminalStore
  readonly #say: (items: unknown[]) => void
  #is_sending = false
  /** what is under way was so at the last heartbeat too */
  #is_late = false

  constructor(store: TerminalStore, say: (items: unknown[]) => void) {
    this.#store = store
    this.#say = say
  }

  /** On a new line: what was under way before is sent again. */
  begin(): void {
    this.#is_sending = false
    this.go()
  }

  /** At a heartbeat: what nobody has acknowledged since the one before is sent again: whoever heard it may not be there any more. */
  beat(): void {
    if (this.#is_late) this.begin()
    else this.#is_late = this.#is_sending
  }

  /** Sends the oldest records, unless some are under way. */
  go(): void {
    const items = this.#store.oldest(items_per_message)
    if (items.length === 0 || this.#is_sending) return
    this.#is_sending = true
    this.#is_late = false
    this.#say(items)
  }

  /** Everything up to a number is with the server. */
  acknowledged(body: unknown): void {
    const ack = Ack.safeParse(body).data
    if (ack?.epoch !== this.#store.epoch) return
    this.#store.acknowledge(ack.upto)
    this.#is_late = false
    this.begin()
  }
}
