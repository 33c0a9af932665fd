import type { ChangeKind } from '@campus/people/contract'

const day_ms = 86_400_000
const moves: readonly ChangeKind[] = ['CLASS', 'REPEAT', 'SKIP', 'STAFF_MOVE', 'LINK']

/** Until when a command given or applied at that moment can be taken back (chapter 20 rule 4): moves and links 7 days, departures 30, a mistaken entry 24 hours. */
export function undoUntil(kind: ChangeKind, at: Date): Date {
  const days = moves.includes(kind) ? 7 : kind === 'IN' || kind === 'ENROL' || kind === 'STAFF_IN' ? 1 : 30
  return new Date(at.getTime() + days * day_ms)
}
