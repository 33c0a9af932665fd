import { setImmediate as nextTurn } from 'node:timers/promises'

type Asking<A, R> = { one: A; done(result: R): void; failed(error: unknown): void }
/** Does what is asked of a school, all of it at once. @returns what came of each */
type Serve<A, R> = (school_id: number, asked: readonly A[]) => Promise<ReadonlyMap<A, R>>

/**
 * Does together what several devices of a school ask for at about the same moment: while some are served, those that come wait for the next turn. Fifty terminals that answer to one change so cost one transaction and not fifty.
 */
export class Together<A extends object, R extends object> {
  readonly #waiting = new Map<number, Asking<A, R>[]>()
  readonly #serve: Serve<A, R>
  readonly #most: number

  /** @param most so many at once */
  constructor(most: number, serve: Serve<A, R>) {
    this.#most = most
    this.#serve = serve
  }

  /** Asks for one; what fails together is tried again each by itself, so that the one that cannot be served fails alone. */
  ask(school_id: number, one: A): Promise<R> {
    return new Promise<R>((done, failed) => {
      const waiting = this.#waiting.get(school_id)
      if (waiting) return void waiting.push({ one, done, failed })
      this.#waiting.set(school_id, [{ one, done, failed }])
      void this.#run(school_id)
    })
  }

  async #run(school_id: number): Promise<void> {
    await nextTurn()
    for (let waiting = this.#waiting.get(school_id) ?? []; waiting.length > 0; waiting = this.#waiting.get(school_id) ?? []) await this.#turn(school_id, waiting.splice(0, this.#most))
    this.#waiting.delete(school_id)
  }

  async #turn(school_id: number, asked: readonly Asking<A, R>[]): Promise<void> {
    try {
      const results = await this.#serve(school_id, asked.map(({ one }) => one))
      for (const { one, done, failed } of asked) {
        const result = results.get(one)
        if (result) done(result)
        else failed(new Error('it was not served'))
      }
    } catch (error) {
      if (asked.length === 1) asked[0]?.failed(error)
      else for (const one of asked) await this.#turn(school_id, [one])
    }
  }
}
