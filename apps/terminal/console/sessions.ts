import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Fault } from '@kit/terminal-protocol/console'

const [minute_ms, hour_ms] = [60_000, 3_600_000]
const session_ms = 24 * hour_ms
/** So many wrong passwords within the time shut the door for the same time (chapter 31 §7). */
const [most_wrong, wrong_ms, lock_ms] = [5, 5 * minute_ms, 5 * minute_ms]
const second_ms = 1000

export type Session = { csrf: string; until: number }

/** Who is signed in at a console. In memory alone: a restart ends them all. Whoever guesses is stopped from wherever he comes: four digits are ten thousand tries. */
export class Sessions {
  readonly #live = new Map<string, Session>()
  #wrong: number[] = []
  #locked_until = 0

  /** Signs somebody in, or says why not. `now` in Unix milliseconds. */
  enter(given: string, right: string, now: number): { token: string; session: Session } | { fault: Fault } {
    const fault = this.try(given, right, now)
    if (fault) return { fault }
    const token = randomBytes(32).toString('base64url')
    const session = { csrf: randomBytes(16).toString('hex'), until: now + session_ms }
    this.#live.set(token, session)
    return { token, session }
  }

  /** Why a password does not open; undefined when it does. Every wrong one counts, wherever it was typed. */
  try(given: string, right: string, now: number): Fault | undefined {
    if (now < this.#locked_until) return { code: 'locked', seconds: Math.ceil((this.#locked_until - now) / second_ms) }
    if (!isSame(given, right)) return this.#count(now)
    this.#wrong = []
    return undefined
  }

  find(token: string | undefined, now: number): Session | undefined {
    const session = token === undefined ? undefined : this.#live.get(token)
    return session && now < session.until ? session : undefined
  }

  leave(token: string | undefined): void {
    if (token !== undefined) this.#live.delete(token)
  }

  /** Ends all sessions but one. */
  endOthers(token?: string): void {
    for (const other of this.#live.keys()) if (other !== token) this.#live.delete(other)
  }

  #count(now: number): Fault {
    this.#wrong = [...this.#wrong.filter(at => now - at < wrong_ms), now]
    if (this.#wrong.length < most_wrong) return { code: 'password_wrong' }
    this.#wrong = []
    this.#locked_until = now + lock_ms
    return { code: 'locked', seconds: lock_ms / second_ms }
  }
}

/** Whether two texts are the same, in a time that says nothing of where they differ. */
export function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(one), digest(other))
}
