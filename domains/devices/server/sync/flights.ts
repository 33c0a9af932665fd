/** Commands under way at one node, over all of its devices; the last fifth is for what waits for nobody's turn (chapter 30 rule 5). */
const [most_under_way, for_urgent] = [200, 40]

/** Who may have a command under way. Whoever finds no room is woken when there is some, in the order in which they came, the urgent first. */
export class Flights<T extends object> {
  readonly #under_way = new Set<T>()
  readonly #waiting = { urgent: new Set<T>(), other: new Set<T>() }
  readonly #wake: (one: T) => void

  constructor(wake: (one: T) => void) {
    this.#wake = wake
  }

  /** Takes a place, unless none is free; whoever has one keeps it. */
  take(one: T, is_urgent: boolean): boolean {
    if (!this.#under_way.has(one) && !this.#hasRoom(is_urgent)) {
      this.#waiting[is_urgent ? 'urgent' : 'other'].add(one)
      return false
    }
    this.#enter(one)
    return true
  }

  /** Gives a place back, which goes to whoever waits longest for it. */
  give(one: T): void {
    if (!this.#under_way.delete(one)) return
    const [next] = this.#hasRoom(false) ? [...this.#waiting.urgent, ...this.#waiting.other] : this.#waiting.urgent
    if (!next) return
    this.#enter(next)
    this.#wake(next)
  }

  #enter(one: T): void {
    this.#under_way.add(one)
    this.#waiting.urgent.delete(one)
    this.#waiting.other.delete(one)
  }

  #hasRoom(is_urgent: boolean): boolean {
    return this.#under_way.size < (is_urgent ? most_under_way : most_under_way - for_urgent)
  }
}
