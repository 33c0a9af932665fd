import type { CardAct } from '@campus/cards/contract'

const [normal, lost, frozen, expired] = [1, 2, 5, 6] as const

/** What may be done with a card in a state (chapter 40 §2.1). Lists show only these; the guards of the statements decide. */
const acts: Readonly<Record<number, readonly CardAct[]>> = {
  [normal]: ['loss', 'exchange', 'reissue_fast', 'revoke', 'renew', 'freeze', 'void'],
  [lost]: ['cancel_loss', 'reissue', 'reissue_fast', 'revoke', 'void'],
  [frozen]: ['loss', 'unfreeze', 'exchange', 'revoke', 'renew', 'void'],
  [expired]: ['renew', 'exchange', 'revoke', 'void'],
}

/** Acts that a card in this state takes; none for one that is closed. */
export function allowedActs(state: number): CardAct[] {
  return [...(acts[state] ?? [])]
}
