import { JdevTerminal } from './jdev/terminal.ts'
import type { Vf105Terminal } from './vf105/terminal.ts'

const minute_ms = 60_000
/** One in so many cards is not known here. */
const strangers = 40
const [card_type, unknown_card] = ['200', '0000']

/** Lets people pass, so many a minute over all terminals: whoever a terminal knows, with his card; now and then somebody whom it does not. */
export function startPulse(terminals: readonly (JdevTerminal | Vf105Terminal)[], per_minute: number): void {
  setInterval(() => {
    const terminal = pick(terminals)
    if (!terminal?.is_connected) return
    if (terminal instanceof JdevTerminal) passOne(terminal)
    else showOne(terminal)
  }, minute_ms / per_minute).unref()
}

function passOne(terminal: JdevTerminal): void {
  const card = pick([...terminal.store.held('credential').values()])?.body
  terminal.present('card', card && !isStranger() ? String(card.code) : unknown_card)
}

function showOne({ device, store }: Vf105Terminal): void {
  const card = pick([...store.keys.values()].filter(key => key.type === card_type))
  device.present(card_type, card && !isStranger() ? card.code : unknown_card)
}

function pick<T>(of: readonly T[]): T | undefined {
  return of[Math.floor(Math.random() * of.length)]
}

function isStranger(): boolean {
  return Math.random() * strangers < 1
}
