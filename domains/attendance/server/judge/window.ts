import type { RuleBody } from '@campus/attendance/contract'
import type { Evidence, Expectation, Leave, Place, Span } from './types.ts'

export const minute_ms = 60_000
export const day_ms = 1440 * minute_ms
/** Shanghai has no summer time. */
export const zone_ms = 8 * 60 * minute_ms

/** When a clock counts as coming: [begin − before, begin + late_until). */
export function inWindow({ begin }: Span, body: RuleBody): Span {
  return { begin: begin - body.before_min * minute_ms, end: begin + body.late_until_min * minute_ms }
}

/** When a clock counts as leaving: [end − out_before, end + out_after). */
export function outWindow({ end }: Span, body: RuleBody): Span {
  return { begin: end - body.out_before_min * minute_ms, end: end + body.out_after_min * minute_ms }
}

export function isIn({ begin, end }: Span, at: number): boolean {
  return begin <= at && at < end
}

/** How late somebody is who comes at `at`, in minutes begun; 0 within the grace. */
export function lateMinutes(begin: number, at: number, grace_min: number): number {
  return Math.max(0, Math.ceil((at - begin) / minute_ms - grace_min))
}

/** Whether a clock at a place counts for a lesson in another one (rule `place_match`: room, floor, building, anywhere). */
export function matchesPlace(match: number, wanted: Place | null, seen: Place | null): boolean {
  if (match === 4 || wanted === null) return true
  if (seen === null) return false
  if (wanted.place_id === seen.place_id) return true
  if (match === 2) return wanted.floor_id !== null && wanted.floor_id === seen.floor_id
  return match === 3 && wanted.building_id !== null && wanted.building_id === seen.building_id
}

/** Devices, codes, positions and signs at exams say where somebody was; teachers' claims speak of a lesson. */
export function isSeen({ source, claim }: Evidence): boolean {
  return source !== 2 && source !== 5 && claim === 'seen'
}

/** The parts of a lesson that leaves leave open, in order. */
export function uncovered({ begin, end }: Span, leaves: readonly Leave[]): Span[] {
  let open: Span[] = [{ begin, end }]
  for (const leave of leaves) {
    open = open.flatMap(part => [
      { begin: part.begin, end: Math.min(part.end, leave.begin) }, { begin: Math.max(part.begin, leave.end), end: part.end }
    ].filter(one => one.end > one.begin))
  }
  return open.toSorted((a, b) => a.begin - b.begin)
}

/**
 * Which clock serves which expectation: one inside several windows counts for the one it is nearer to the begin of (chapter 55 §3.4).
 * Lessons and clock
 * slots do not compete for a clock.
 * @returns clocks by expectation, in order of time
 */
export function serve(expectations: readonly Expectation[], evidence: readonly Evidence[]): ReadonlyMap<Expectation, Evidence[]> {
  const served = new Map<Expectation, Evidence[]>(expectations.map(one => [one, []]))
  for (const clock of evidence.filter(isSeen)) {
    const fitting = Map.groupBy(expectations.filter(one => counts(one, clock)), one => one.expect_kind)
    for (const of_kind of fitting.values()) {
      const [nearest] = of_kind.toSorted((a, b) => Math.abs(clock.at - a.begin) - Math.abs(clock.at - b.begin) || a.begin - b.begin)
      if (nearest) served.get(nearest)?.push(clock)
    }
  }
  return served
}

function counts({ rule, place, begin, end, occurrence_id }: Expectation, clock: Evidence): boolean {
  if (rule === null || (clock.way !== null && !rule.body.identify_types.includes(clock.way))) return false
  if (clock.occurrence_id !== null && clock.occurrence_id !== occurrence_id) return false
  // With a leave over its first part a lesson begins later: the window is cut again when it is judged.
  return clock.at >= begin - rule.body.before_min * minute_ms && clock.at < Math.max(
    begin + rule.body.late_until_min * minute_ms, end
  ) && matchesPlace(rule.body.place_match, place, clock.place)
}
