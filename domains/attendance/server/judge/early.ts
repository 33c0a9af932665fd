import type { RuleBody } from '@campus/attendance/contract'
import type { Expectation, PersonDay, Verdict } from './types.ts'
import { isIn, isSeen, matchesPlace, minute_ms, outWindow } from './window.ts'

const out = 2

/**
 * Whether somebody who came left before the end: a clock out, or a way out of the school, without a leave over it (chapter 55 §3.5). A
 * lesson that
 * asks for a clock out keeps its state without one.
 */
export function earlyLeaving(
  day: PersonDay, of: Expectation, body: RuleBody, verdict: Verdict,
): { out_at: number | null; early_min: number; is_missing: boolean } {
  const came = Math.max(of.begin, verdict.in_at ?? of.begin)
  const latest = of.end - body.early_grace_min * minute_ms
  const here = day.evidence.filter(one => isSeen(one) && matchesPlace(body.place_match, of.place, one.place) &&
    one.ref !== verdict.event_ref)
  const is_away = (at: number) => day.leaves.some(leave => leave.begin <= at && at < leave.end)
  const gate = day.gates.find(one => one.direction === out && one.at > came && one.at < latest && !is_away(one.at))
  const clock = here.findLast(one => one.direction === out && one.at > came && one.at < latest && !is_away(one.at))
  const is_back = clock !== undefined && here.some(one => one.at > clock.at && one.at < of.end)
  const left = gate?.at ?? (is_back ? undefined : clock?.at)
  if (left !== undefined) return { out_at: left, early_min: Math.ceil((of.end - left) / minute_ms), is_missing: false }
  const window = outWindow(of, body)
  const leaving = here.findLast(one => isIn(window, one.at) && one.direction !== 1)
  return { out_at: leaving?.at ?? null, early_min: 0, is_missing: body.need_out && leaving === undefined && day.as_of >= window.end }
}
