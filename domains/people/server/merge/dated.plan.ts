import type { MergeSideName } from './rekey-port.ts'

/** A row of one of the two people. */
export type OwnedRow = { id: number }
/** A dated one; days `YYYY-MM-DD`, `valid_to` is the first day without, null = open. */
export type DatedRow = OwnedRow & { valid_from: string; valid_to: string | null }

/** What becomes of rows when two people are one. A row is in at most one of the lists; copies in `added` go on where a cut row ended. */
export type RowPlan<T extends OwnedRow> = {
  /** of the merged person: they become the kept one's, with these columns changed */
  moved: { row: T; patch: Partial<T> }[]
  /** of either person, who keeps the row: these columns change */
  changed: { row: T; patch: Partial<T> }[]
  /** of either person: they began today or later and never hold */
  removed: T[]
  /** of the kept person, copies of a row from a day on */
  added: { row: T; patch: Partial<T> }[]
}

/** The rows of both, and the day on which they become one. */
export type DatedSides<T> = { kept: readonly T[]; dropped: readonly T[]; today: string }

/**
 * Moves the rows of the merged person to the kept one. Where both have a row on the same day that one person can have but once (`groupOf` alike),
 * the past stays with whom it was made, so that a list of a past day names who stood on it; from today on the winner's row goes on alone.
 */
export function planDated<T extends DatedRow>({ kept, dropped, today }: DatedSides<T>, groupOf: (row: T) => string, winner: MergeSideName): RowPlan<T> {
  const plan: RowPlan<T> = { moved: [], changed: [], removed: [], added: [] }
  for (const row of dropped) {
    const rivals = kept.filter(other => groupOf(other) === groupOf(row) && meet(other, row))
    if (rivals.length === 0) {
      plan.moved.push({ row, patch: {} })
      continue
    }
    if (isOver(row, today)) continue
    const ahead = rivals.filter(other => !isOver(other, today))
    const goes_on = ahead.length === 0 || winner === 'drop'
    if (goes_on) for (const other of ahead) endRow(plan, other, today)
    if (row.valid_from >= today && goes_on) plan.moved.push({ row, patch: {} })
    else endRow(plan, row, today)
    if (row.valid_from < today && goes_on) plan.added.push({ row, patch: from<T>(today) })
  }
  return plan
}

/** Moves rows without days; of what one person can have but once the kept one's stays. */
export function planOnce<T extends OwnedRow>({ kept, dropped }: DatedSides<T>, groupOf: (row: T) => string): RowPlan<T> {
  const taken = new Set(kept.map(groupOf))
  const [removed, moved] = [dropped.filter(row => taken.has(groupOf(row))), dropped.filter(row => !taken.has(groupOf(row)))]
  return { moved: moved.map(row => ({ row, patch: {} })), changed: [], removed, added: [] }
}

/** Moves rows without days; where both have one of what a person can have but once (`groupOf` alike, null = any number), each keeps his own. */
export function planApart<T extends OwnedRow>({ kept, dropped }: DatedSides<T>, groupOf: (row: T) => string | null): RowPlan<T> {
  const taken = new Set(kept.map(groupOf).filter(group => group !== null))
  const moved = dropped.filter(row => !taken.has(groupOf(row) ?? ''))
  return { moved: moved.map(row => ({ row, patch: {} })), changed: [], removed: [], added: [] }
}

/** Ends a row with today; one that begins today or later never was. Ended once, however many rivals it has. */
function endRow<T extends DatedRow>(plan: RowPlan<T>, row: T, today: string): void {
  if (plan.removed.includes(row) || plan.changed.some(one => one.row === row)) return
  if (row.valid_from >= today) plan.removed.push(row)
  else plan.changed.push({ row, patch: until<T>(today) })
}

/** Changes a row of the kept person from today on: the part that is over stays as it was. */
export function changeFromToday<T extends DatedRow>(plan: RowPlan<T>, row: T, patch: Partial<T>, today: string): void {
  if (row.valid_from >= today) {
    plan.changed.push({ row, patch })
    return
  }
  endRow(plan, row, today)
  plan.added.push({ row, patch: { ...from<T>(today), ...patch } })
}

export function isOver(row: DatedRow, today: string): boolean {
  return row.valid_to !== null && row.valid_to <= today
}

/** Is there a day on which both hold? */
export function meet(one: DatedRow, other: DatedRow): boolean {
  return (one.valid_to === null || one.valid_to > other.valid_from) && (other.valid_to === null || other.valid_to > one.valid_from)
}

function from<T extends DatedRow>(day: string): Partial<T>
function from(day: string): Partial<DatedRow> {
  return { valid_from: day }
}

function until<T extends DatedRow>(day: string): Partial<T>
function until(day: string): Partial<DatedRow> {
  return { valid_to: day }
}
