import type { JdevTerminal } from './jdev/terminal.ts'

const minute_ms = 60_000
const by_card = 2
const [let_through, no_right] = [1, 2]
/** One in so many cards is not known here. */
const strangers = 40

/** Lets people pass, so many a minute over all terminals: whoever a terminal knows, with his card; now and then somebody whom it does not. */
export function startPulse(terminals: readonly JdevTerminal[], per_minute: number): void {
  setInterval(() => {
    const terminal = terminals[Math.floor(Math.random() * terminals.length)]
    if (terminal?.is_connected) passOne(terminal)
  }, minute_ms / per_minute).unref()
}

function passOne(terminal: JdevTerminal): void {
  const cards = [...terminal.store.held('credential').values()]
  const card = cards[Math.floor(Math.random() * cards.length)]?.body
  if (!card || Math.random() * strangers < 1) return terminal.pass({ verify: by_card, result: no_right, code_masked: '****0000' })
  const user_id = String(card.user_id)
  terminal.pass({ user_id, credential_id: String(card.id), verify: by_card, result: terminal.store.held('person').has(user_id) ? let_through : no_right, code_masked: `****${String(card.code).slice(-4)}` })
}
