type Turn = { at: Date; kind: string }
export type Span = { from: string; to: string }

/**
 * When a line was there between two moments, told from its turns in that time and from whether it is there now. What it was before the first turn is the opposite of
 * that turn; a line that takes over from itself (online twice) stays what it is.
 */
export function ribbonOf(turns: readonly Turn[], { from, to, is_online }: { from: Date; to: Date; is_online: boolean }): Span[] {
  const real = turns.filter(turn => turn.kind === 'online' || turn.kind === 'offline').toSorted((a, b) => a.at.getTime() - b.at.getTime())
  const [first] = real
  const spans: Span[] = []
  let since = first ? (first.kind === 'offline' ? from : null) : is_online ? from : null
  for (const { at, kind } of real) {
    if (kind === 'online') since ??= at
    else if (since !== null) {
      spans.push({ from: since.toISOString(), to: at.toISOString() })
      since = null
    }
  }
  if (since !== null) spans.push({ from: since.toISOString(), to: to.toISOString() })
  return spans
}
