import { card_inputs, card_orders, card_truncations } from '@kit/terminal-protocol/card'
import type { CardFormat } from '@kit/terminal-protocol/card'
import { textOf } from '../jdev/own-settings.ts'
import type { TerminalStore } from '../jdev/store.ts'

/** How a terminal's reader writes the number of a card, by its settings. */
export function cardFormat(store: TerminalStore): CardFormat {
  return {
    input: card_inputs.find(one => one === textOf(store, 'reader.format')) ?? 'hex',
    byte_order: card_orders.find(one => one === textOf(store, 'reader.byte_order')) ?? 'as_is',
    truncation: card_truncations.find(one => one === textOf(store, 'reader.truncation')) ?? 'none',
    pad: true,
    upper: true,
  }
}
