import { JdevTerminal } from './jdev/terminal.ts'
import type { Vf105Terminal } from './vf105/terminal.ts'

const minute_ms = 60_000
const beat_ms = 10
/** One in so many cards is not known at the door. */
const strangers = 40
const [card_type, card_kind, unknown_card] = ['200', 'card', '0000'] as const

type Door = JdevTerminal | Vf105Terminal
/** Gives a number from 0 to below 1, as `Math.random` does. */
type Dice = () => number

/** Lets people pass, so many a minute over all terminals, also when the process is busy: what is late is made up, at most a second of it. `now`: milliseconds of a clock that nobody sets. */
export function startPulse(terminals: readonly Door[], per_minute: number, now: () => number = () => performance.now()): void {
  const begun = now()
  const a_second = Math.ceil(per_minute / 60)
  let passed = 0
  const pass = () => {
    const due = Math.floor(((now() - begun) / minute_ms) * per_minute)
    // A machine that slept is not a crowd at the door.
    for (passed = Math.max(passed, due - a_second); passed < due; passed += 1) passSomewhere(terminals)
  }
  setInterval(pass, Math.max(minute_ms / per_minute, beat_ms)).unref()
}

/**
 * Somebody is at one of the doors that are there: whoever it knows, with his card; now and then somebody whom it does not. A board or a
 * screen, and a terminal that knows nobody, as a box or a door that is still empty, is no door where anybody passes.
 */
export function passSomewhere(terminals: readonly Door[], dice: Dice = Math.random): void {
  const drawn = pick(terminals, dice)
  // Nearly all of a fleet are doors: only when the drawn one is none are all of them looked through.
  const door = drawn && isDoor(drawn) ? drawn : pick(terminals.filter(isDoor), dice)
  if (!door) return
  const card = dice() * strangers < 1 ? undefined : pick([...cardsOf(door)], dice)
  if (door instanceof JdevTerminal) door.present(card_kind, card ?? unknown_card)
  else door.device.present(card_type, card ?? unknown_card)
}

function isDoor(terminal: Door): boolean {
  return terminal.is_connected && !(terminal instanceof JdevTerminal && terminal.board) && cardsOf(terminal).next().done !== true
}

function* cardsOf(door: Door): Generator<string> {
  if (door instanceof JdevTerminal) for (const { body } of door.store.held('credential').values()) if (body?.kind === card_kind) yield String(body.code)
  if (!(door instanceof JdevTerminal)) for (const key of door.store.keys.values()) if (key.type === card_type) yield key.code
}

function pick<T>(of: readonly T[], dice: Dice): T | undefined {
  return of[Math.floor(dice() * of.length)]
}
