import type { Played } from './store.ts'

const hour_ms = 3_600_000
/** A longer gap between two looks is sleep of the screen, and no playing. */
const longest_gap_ms = 5000
const [most_told, most_kept] = [500, 5000] as const

/** Counts how often and how long contents were on the screen, by the hour; what is not told yet is kept. */
export class PlayCount {
  readonly #lines: Map<string, Played>
  #on: ReadonlySet<string> = new Set()
  #looked_at = 0

  constructor(kept: readonly Played[] = []) {
    this.#lines = new Map(kept.map(line => [keyOf(line), line]))
  }

  /** What is on the screen at an instant. */
  look(at: number, shown: ReadonlySet<string>): void {
    const passed = at - this.#looked_at
    const ms = passed > 0 && passed <= longest_gap_ms ? passed : 0
    const hour = at - (at % hour_ms)
    for (const content_id of new Set([...this.#on, ...shown])) {
      const line = this.#lines.get(keyOf({ hour, content_id })) ?? { hour, content_id, plays: 0, ms: 0 }
      const was_on = this.#on.has(content_id)
      this.#lines.set(keyOf(line), { ...line, plays: line.plays + (was_on ? 0 : 1), ms: Math.min(hour_ms, line.ms + (was_on ? ms : 0)) })
    }
    this.#on = new Set(shown)
    this.#looked_at = at
  }

  /** All that waits, the oldest first and no more than a player keeps. */
  kept(): Played[] {
    return [...this.#lines.values()].slice(-most_kept)
  }

  /** What is told next: totals of their hours, so that it may be told again. */
  next(): Played[] {
    return [...this.#lines.values()].slice(0, most_told)
  }

  /** The server has them; those of hours that are over are not needed any more. */
  told(lines: readonly Played[], at: number): void {
    for (const line of lines) if (line.hour + hour_ms <= at) this.#lines.delete(keyOf(line))
  }
}

/** A line as the server takes it. */
export function playLine({ hour, content_id, plays, ms }: Played): object {
  return { hour: new Date(hour).toISOString(), content_id, plays, seconds: Math.round(ms / 1000) }
}

const keyOf = ({ hour, content_id }: Pick<Played, 'hour' | 'content_id'>) => `${hour} ${content_id}`
