const beats_kept = 5
/** What a column holds: a clock of another century is that far off and no further. */
const most_ms = 2_147_483_647

/** Records that a device had already when it came, by their numbers or by its own clock, and how far that clock was behind then: it may have been put right since. */
export type Queued = { skew_ms: number; before_seq?: number; upto?: Date }
/** How far a clock is behind, in milliseconds (null: nothing is known), and whether so many heartbeats have said so that it is acted upon. */
export type ClockTold = { clock_skew_ms: number | null; clock_is_sure: boolean }

/** A clock that is further away than this is wrong (chapter 30 rule 15). */
export const wrong_ms = 60_000

/** What the clock of a device is, as it says in one session: the median of its last five heartbeats (chapter 30 rule 15, decision 0036). A skew is our time less its own: a positive one is behind. */
export class ClockBook {
  #beats: number[] = []
  /** the next heartbeat may have been on its way before its clock was set */
  #is_stale = true
  #arrival: number | null = null
  #waiting = 0
  #queued: Queued | null = null
  /** the time is not told it again before then, in milliseconds */
  ask_after = 0

  /** It has come. `waiting`: so many records wait in it, the oldest is told first; `upto`: its clock then, where it does not count them. */
  arrive(skew_ms: number, { waiting = 0, upto }: { waiting?: number; upto?: Date }): void {
    this.setRight()
    this.#arrival = skew_ms
    this.#waiting = waiting
    this.#queued = upto ? { skew_ms, upto } : null
  }

  /** A heartbeat has come. */
  beat(skew_ms: number): void {
    if (!this.#is_stale) this.#beats = [...this.#beats, skew_ms].slice(-beats_kept)
    this.#is_stale = false
  }

  /** Its clock has been set: what it said before is of another clock. */
  setRight(): void {
    this.#beats = []
    this.#arrival = null
    this.#is_stale = true
  }

  get told(): ClockTold {
    const skew_ms = medianOf(this.#beats) ?? this.#arrival
    return { clock_skew_ms: skew_ms === null ? null : Math.max(-most_ms, Math.min(most_ms, skew_ms)), clock_is_sure: this.#beats.length === beats_kept }
  }

  /** By what records are put right that a message of this skew brings, where it says one; `first_seq`: the least of their numbers. */
  hearing(message_ms: number | null, first_seq?: number): { skew_ms: number; queued: Queued | null } {
    if (this.#arrival !== null && this.#waiting > 0 && first_seq !== undefined) this.#queued = { skew_ms: this.#arrival, before_seq: first_seq + this.#waiting }
    if (first_seq !== undefined) this.#waiting = 0
    return { skew_ms: skewNow(message_ms ?? this.#beats.at(-1) ?? this.#arrival ?? 0, this.#beats), queued: this.#queued }
  }
}

/**
 * How far a clock is behind now: what the heartbeats say, unless it has been set since. A message that was held up makes a clock look further behind than it is, never further ahead; that it has really been set back is
 * what the last heartbeat says too.
 */
export function skewNow(message_ms: number, beats: readonly number[]): number {
  const [calm, last] = [medianOf(beats), beats.at(-1)]
  if (calm === null || last === undefined) return message_ms
  if (isNear(message_ms, calm)) return calm
  return message_ms < calm || isNear(message_ms, last) ? message_ms : calm
}

/** Whether a record was there when its device came. */
export function isQueued({ before_seq, upto }: Queued, seq: number, device_time: Date): boolean {
  return (before_seq !== undefined && seq < before_seq) || (upto !== undefined && device_time <= upto)
}

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) <= wrong_ms
}

/** The middle one; of two middle ones the smaller, since what is late is larger. */
function medianOf(skews: readonly number[]): number | null {
  return skews.toSorted((a, b) => a - b)[Math.floor((skews.length - 1) / 2)] ?? null
}
