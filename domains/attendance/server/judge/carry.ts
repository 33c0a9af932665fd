import { attend_states as states } from '@campus/attendance/contract'
import type { RuleBody } from '@campus/attendance/contract'
import type { Evidence, Expectation, PersonDay, Verdict } from './types.ts'
import { isSeen, minute_ms, zone_ms } from './window.ts'

type Carried = { in_at: number; identify_type: number | null; event_ref: string | null }
const [same_room, half_day, room_change] = [2, 3, 4] as const
const [out, lesson] = [2, 1] as const
const half_day_ms = 12 * 60 * minute_ms

/**
 * The earlier clock that holds for this lesson too, by the rule's `chain_mode`: broken by a clock in another room, a way out of the school,
 * or a
 * gap longer than `chain_gap_min` (chapter 55 §3.5). @returns the clock, or why there is none
 */
export function carriedFrom(day: PersonDay, of: Expectation, body: RuleBody, before: readonly Verdict[]): Carried | string {
  if (body.chain_mode === 1) return '规则要求每节打卡'
  if (day.as_of < of.begin) return '本节还没有开始'
  const earlier = before.flatMap(verdict => {
    const expectation = day.expectations.find(one => one.expect_kind === verdict.expect_kind && one.occurrence_id === verdict.occurrence_id)
    return expectation?.expect_kind === lesson ? [{ verdict, expectation }] : []
  })
  const last = body.chain_mode === half_day
    ? earlier.findLast(one => isHeld(one.verdict) && halfOf(one.expectation.begin) === halfOf(of.begin))
    : earlier.at(-1)
  if (!last || !isHeld(last.verdict)) return '前面没有可沿用的打卡'
  const { in_at } = last.verdict
  if (in_at === null) return '前面没有可沿用的打卡'
  const is_room = body.chain_mode === same_room || body.chain_mode === room_change
  if (is_room && last.expectation.place?.place_id !== of.place?.place_id) return '与上一节不在同一教室'
  if (body.chain_mode === same_room && of.begin - last.expectation.end > body.chain_gap_min * minute_ms) return `与上一节间隔超过${body.chain_gap_min}分钟`
  if (day.gates.some(gate => gate.direction === out && gate.at > in_at && gate.at <= of.begin)) return '打卡后已离校'
  if (is_room && day.evidence.some(one => one.at > in_at && one.at <= of.begin && isElsewhere(one, of))) return '打卡后在其他教室打过卡'
  return { in_at, identify_type: last.verdict.identify_type, event_ref: last.verdict.event_ref }
}

/** Came, in time or late, and a clock says when. */
function isHeld({ state, in_at, correction_id }: Verdict): boolean {
  const came: readonly number[] = [states.present, states.late]
  return in_at !== null && correction_id === null && came.includes(state)
}

function isElsewhere(one: Evidence, of: Expectation): boolean {
  return isSeen(one) && one.place !== null && one.place.place_id !== of.place?.place_id
}

function halfOf(at: number): number {
  return Math.floor((at + zone_ms) / half_day_ms)
}
