import { log_levels } from '@kit/terminal-protocol/console'
import type { LogLevel } from '@kit/terminal-protocol/console'

const most_lines = 1000

/** What a terminal notes of itself, newest last; nothing in it is secret. */
export class DeviceLog {
  readonly #lines: string[] = []
  readonly #level: () => LogLevel

  constructor(level: () => LogLevel) {
    this.#level = level
  }

  note(level: LogLevel, at: Date, text: string): void {
    if (log_levels.indexOf(level) > log_levels.indexOf(this.#level())) return
    this.#lines.push(`${at.toISOString()} ${level} ${text}`)
    if (this.#lines.length > most_lines) this.#lines.shift()
  }

  text(): string {
    return this.#lines.map(line => `${line}\n`).join('')
  }
}
