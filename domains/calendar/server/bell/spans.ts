/** From a day, `to` excluded, null = open. */
export type Dated = { valid_from: string; valid_to: string | null }

/** What is left of spans when [from, to) goes to something else: the parts before and after. */
export function without<T extends Dated>(spans: readonly T[], from: string, to: string | null): T[] {
  return spans.flatMap(span => {
    const before = span.valid_from < from ? [{ ...span, valid_to: span.valid_to === null || span.valid_to > from ? from : span.valid_to }] : []
    const after = to !== null && (span.valid_to === null || span.valid_to > to) ? [{ ...span, valid_from: span.valid_from > to ? span.valid_from : to }] : []
    return [...before, ...after]
  })
}
