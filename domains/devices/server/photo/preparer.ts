import { preparePhotos } from './prepare.ts'
import type { PhotoDesk } from './prepare.ts'

/** Makes photographs fit, school by school, beside everything else: a thousand new faces hold up no lost card. */
export class Preparer {
  readonly #desk: PhotoDesk
  readonly #asked = new Set<number>()
  #busy: Promise<void> | undefined

  constructor(desk: PhotoDesk) {
    this.#desk = desk
  }

  /** Something may wait in a school. */
  wake(school_id: number): void {
    this.#asked.add(school_id)
    this.#busy ??= this.#run().finally(() => {
      this.#busy = undefined
      for (const one of this.#asked) this.wake(one)
    })
  }

  /** Waits until nothing is under way. */
  async settled(): Promise<void> {
    while (this.#busy) await this.#busy
  }

  async #run(): Promise<void> {
    for (let [school_id] = this.#asked; school_id !== undefined; [school_id] = this.#asked) {
      this.#asked.delete(school_id)
      await preparePhotos(this.#desk, school_id).catch((error: unknown) => this.#desk.app.log.warn({ err: error, school_id }, 'photographs were not made fit'))
    }
  }
}
