import { rowHash } from '@kit/terminal-protocol'

/** Hashes that were made already, by a text that stands for what they are of; forgets all when it is full. */
export class HashMemory {
  readonly #most: number
  readonly #known = new Map<string, string>()

  constructor(most: number) {
    this.#most = most
  }

  /** The hash of what `make` makes; `name` is the same for the same content alone. */
  of(name: string, make: () => unknown): string {
    const known = this.#known.get(name)
    if (known !== undefined) return known
    const hash = rowHash(make())
    if (this.#known.size >= this.#most) this.#known.clear()
    this.#known.set(name, hash)
    return hash
  }
}
