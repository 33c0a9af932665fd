import { identityErrors } from '@campus/identity/contract'
import { fail } from '@kit/contract'
import { endOfDay, schoolDay, startOfDay } from './school-day.ts'

export type Days = { valid_from?: string; valid_to?: string | null }
/** As it is stored: the end is exclusive. */
export type Span = { valid_from: Date; valid_to: Date | null }

/**
 * The interval of a new membership: from now, or from the beginning of a later day, to the end of the last day.
 * @throws Refusal 422 memberPast, memberDates
 */
export function newSpan({ valid_from, valid_to }: Days, now: Date): Span {
  const today = schoolDay(now)
  const first = valid_from ?? today
  if (first < today) throw fail(identityErrors.memberPast)
  return { valid_from: first === today ? now : startOfDay(first), valid_to: lastOf(first, valid_to ?? null) }
}

/**
 * The interval of a membership whose days are changed: one that has begun keeps its beginning, and its end lies ahead.
 * @throws Refusal 422 memberBegun, memberPast, memberDates, 409 memberEnded
 */
export function changedSpan(had: Span, { valid_from, valid_to }: Days, now: Date): Span {
  if (had.valid_to && had.valid_to <= now) throw fail(identityErrors.memberEnded)
  const begun = had.valid_from <= now
  const was = schoolDay(had.valid_from)
  if (begun && valid_from !== undefined && valid_from !== was) throw fail(identityErrors.memberBegun)
  const from = begun || valid_from === undefined ? had.valid_from : newSpan({ valid_from }, now).valid_from
  const first = [schoolDay(from), schoolDay(now)].toSorted().at(-1) ?? was
  return { valid_from: from, valid_to: valid_to === undefined ? keptEnd(had.valid_to, first) : lastOf(first, valid_to) }
}

function keptEnd(valid_to: Date | null, first: string): Date | null {
  if (valid_to && valid_to <= startOfDay(first)) throw fail(identityErrors.memberDates)
  return valid_to
}

function lastOf(first: string, last: string | null): Date | null {
  if (last === null) return null
  if (last < first) throw fail(identityErrors.memberDates)
  return endOfDay(last)
}
