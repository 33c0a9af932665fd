/** A membership that holds today or will, of one of the two people; instants in milliseconds, null = open. `acted_for`: on whose behalf it is held. */
export type Held = { role_no: string; role_id: string; user_dep: string; acted_for: string | null; from: number; to: number | null; scope_ids: readonly string[] | null }

/** A membership as it is to stand; `role_no` null is a new one, `origin` the one it continues. */
export type Span = Omit<Held, 'role_no'> & { role_no: string | null; origin: string }

/** What becomes of the memberships of two people who are one (chapter 10 §7). */
export type MergePlan = {
  /** of the merged person, ended now: until then it was he */
  ended: string[]
  /** of the merged person, not begun: they become the kept one's as they are */
  moved: string[]
  /** not begun and swallowed by another */
  removed: string[]
  /** of the kept person, as they are to last now */
  extended: Span[]
  /** new ones of the kept person, which go on from now */
  added: Span[]
}

/**
 * Moves what the merged person holds to the kept one: a membership that has begun ends for the one and goes on for the other, so both histories
 * stay true; where the kept person holds the same role in the same department meanwhile, one membership over both times is left.
 */
export function planMerge(kept: readonly Held[], merged: readonly Held[], now: number): MergePlan {
  let spans: Span[] = kept.map(held => ({ ...held, origin: held.role_no }))
  const plan: MergePlan = { ended: [], moved: [], removed: [], extended: [], added: [] }
  for (const held of merged.toSorted((one, other) => one.from - other.from)) {
    const is_begun = held.from < now
    const wanted: Span = { ...held, role_no: is_begun ? null : held.role_no, from: Math.max(held.from, now), origin: held.role_no }
    const hits = spans.filter(span => overlaps(span, wanted)).toSorted((one, other) => one.from - other.from)
    const [first] = hits
    if (is_begun) plan.ended.push(held.role_no)
    else (first ? plan.removed : plan.moved).push(held.role_no)
    const made = first ? [...hits, wanted].reduce(unite) : wanted
    spans = [...spans.filter(span => !hits.includes(span)), made]
  }
  const left = new Map(spans.map(span => [span.role_no, span]))
  plan.removed.push(...kept.filter(held => !left.has(held.role_no)).map(held => held.role_no))
  plan.extended = kept.flatMap(held => {
    const span = left.get(held.role_no)
    return span && !isSame(held, span) ? [span] : []
  })
  plan.added = spans.filter(span => span.role_no === null)
  return plan
}

function overlaps(one: Span, other: Span): boolean {
  const is_same_role = one.role_id === other.role_id && one.user_dep === other.user_dep && one.acted_for === other.acted_for
  return is_same_role && (one.to === null || one.to > other.from) && (other.to === null || other.to > one.from)
}

/** The first one over both times. One that names departments of its own works over those of both; the other kind keeps its role's. */
function unite(one: Span, other: Span): Span {
  const scope_ids = one.scope_ids && other.scope_ids ? [...new Set([...one.scope_ids, ...other.scope_ids])] : one.scope_ids
  return { ...one, from: Math.min(one.from, other.from), to: one.to === null || other.to === null ? null : Math.max(one.to, other.to), scope_ids }
}

function isSame(held: Held, span: Span): boolean {
  return held.from === span.from && held.to === span.to && held.scope_ids?.join() === span.scope_ids?.join()
}
