export { card_inputs, card_orders, card_truncations, interpretCard, readCard, uidOf, writeCard } from './card-format.ts'
export type { CardFormat } from './card-format.ts'
