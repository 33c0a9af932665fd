import { closeSync, existsSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs'

/** What was saved last, as JSON text, and every change since, each as it was noted. */
type Kept = { saved: Record<string, unknown> | null; changes: unknown[] }

/**
 * The memory of a terminal that survives a cut of the power at any moment: a file with everything, and beside it one with the changes since, which
 * is written before anybody is told of them. The second names the first by its number, so that a cut between the two counts nothing twice.
 */
export class Journal {
  readonly #file: string
  #number = 0
  #log: number | undefined

  constructor(file: string) {
    this.#file = file
  }

  /** Everything that is kept, to be saved anew by whoever reads it; a last line that was cut in the middle was never acknowledged and is left out. */
  read(): Kept {
    const saved = existsSync(this.#file) ? parsed(readFileSync(this.#file, 'utf8')) : null
    this.#number = Number(saved?.['number'] ?? 0)
    const [head, ...lines] = existsSync(this.#log_file) ? readFileSync(this.#log_file, 'utf8').split('\n') : []
    if (head !== String(this.#number)) return { saved, changes: [] }
    const whole = lines.slice(0, -1)
    return { saved, changes: whole.map(line => JSON.parse(line)) }
  }

  /** Notes a change. */
  note(change: unknown): void {
    if (this.#log === undefined) {
      this.#log = openSync(this.#log_file, 'w')
      writeSync(this.#log, `${this.#number}\n`)
    }
    writeSync(this.#log, `${JSON.stringify(change)}\n`)
  }

  /** Writes everything anew, whole or not at all; the changes up to here are part of it. */
  save(everything: Record<string, unknown>): void {
    const number = this.#number + 1
    writeFileSync(`${this.#file}.new`, JSON.stringify({ ...everything, number }))
    renameSync(`${this.#file}.new`, this.#file)
    this.#number = number
    if (this.#log !== undefined) closeSync(this.#log)
    this.#log = undefined
  }

  get #log_file(): string {
    return `${this.#file}.log`
  }
}

function parsed(text: string): Record<string, unknown> {
  return JSON.parse(text)
}
