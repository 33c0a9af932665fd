import { attend_flags, attend_states as states } from '@campus/attendance/contract'
import type { RuleBody } from '@campus/attendance/contract'
import { carriedFrom } from './carry.ts'
import { earlyLeaving } from './early.ts'
import { sentenceOf } from './sentence.ts'
import { clockText, coverText, outageText } from './text.ts'
import type { Evidence, Expectation, PersonDay, Rung, Span, Verdict } from './types.ts'
import { inWindow, isIn, isSeen, lateMinutes, matchesPlace, minute_ms, serve, uncovered } from './window.ts'

const [rollcall, bulk, exam_sign, exam_kind] = [2, 5, 6, 3] as const
const hand_way = 4

/** What is known of one expectation while it is judged; `span` = the part of the lesson that leaves leave open. */
type Case = { day: PersonDay; of: Expectation; body: RuleBody; span: Span; covered_pct: number; clocks: readonly Evidence[]; claim: Evidence | null; before: readonly Verdict[] }
/** What a rung decides, and its reason in words. */
type Found = Partial<Verdict> & { state: number; text: string }

/**
 * Judges one person's day: every expectation by the ladder of chapter 55 §3.5, the first rung that fits decides. The same facts give the
 * same
 * verdicts in whatever order they arrive. @returns a verdict an expectation, in order of time
 */
export function judgeDay(day: PersonDay): Verdict[] {
  const expectations = day.expectations.toSorted((a, b) => a.begin - b.begin || a.expect_kind - b.expect_kind ||
    compare(a.occurrence_id, b.occurrence_id))
  const evidence = day.evidence.toSorted((a, b) => a.at - b.at || compare(a.ref, b.ref))
  const sorted: PersonDay = {
    ...day, expectations, evidence, gates: day.gates.toSorted((a, b) => a.at - b.at),
    leaves: day.leaves.toSorted((a, b) => a.begin - b.begin),
  }
  const served = serve(expectations, evidence)
  const verdicts: Verdict[] = []
  for (const of of expectations) verdicts.push(judgeOne(sorted, of, served.get(of) ?? [], verdicts))
  return verdicts
}

/** The verdict of one expectation of a day, with its whole ladder and why it is so. @throws Error when the day does not hold it */
export function explain(day: PersonDay, { expect_kind, occurrence_id }: { expect_kind: number; occurrence_id: string }): Verdict {
  const verdict = judgeDay(day).find(one => one.expect_kind === expect_kind && one.occurrence_id === occurrence_id)
  if (!verdict) throw new Error(`no expectation ${expect_kind}/${occurrence_id} on this day`)
  return verdict
}

function judgeOne(day: PersonDay, of: Expectation, clocks: readonly Evidence[], before: readonly Verdict[]): Verdict {
  const ladder: Rung[] = []
  const { correction, exempt, rule } = of
  const end = (step: string, found: Found) => {
    ladder.push({ step, hit: true, text: found.text })
    return finish(day, of, ladder, found)
  }
  if (correction) {
    const { state, late_min, early_min, text } = correction
    return end('correction', { state, late_min, early_min, flags: againstLeave(day, of, state), text })
  }
  ladder.push({ step: 'correction', hit: false, text: '没有生效的更正' })
  if (exempt !== null) return end('exempt', { state: states.exempt, text: exempt })
  ladder.push({ step: 'exempt', hit: false, text: '不在免考勤名单' })
  if (rule === null) return end('rule', { state: states.exempt, flags: attend_flags.no_rule, text: '未设置规则' })
  const parts = uncovered(of, day.leaves)
  const open_ms = parts.reduce((sum, part) => sum + part.end - part.begin, 0)
  const covered_pct = 100 - (100 * open_ms) / (of.end - of.begin)
  const is_away = covered_pct >= rule.body.leave_cover_pct
  const span = is_away ? of : (parts[0] ?? of)
  const claim = claimOf(day, of, rule.body)
  const { step, ...found } = climb({ day, of, body: rule.body, span, covered_pct, clocks, claim, before }, ladder)
  return end(step, found)
}

/** What was said of an expectation by hand: by the teacher of a lesson, by the invigilator of a sitting. */
function claimOf({ evidence }: PersonDay, { expect_kind, occurrence_id }: Expectation, { rollcall: mode }: RuleBody): Evidence | null {
  if (expect_kind !== exam_kind && mode === 'off') return null
  const sources: readonly number[] = expect_kind === exam_kind ? [exam_sign] : [rollcall, bulk]
  return evidence.findLast(one => sources.includes(one.source) && one.occurrence_id === occurrence_id) ?? null
}

/** A correction that stands over a leave of most of the lesson is a conflict for the class teacher (chapter 55 §3.7). */
function againstLeave(day: PersonDay, of: Expectation, state: number): number {
  const excused: readonly number[] = [states.leave, states.outside, states.exempt]
  const open_ms = uncovered(of, day.leaves).reduce((sum, part) => sum + part.end - part.begin, 0)
  const is_away = (100 * (of.end - of.begin - open_ms)) / (of.end - of.begin) >= (of.rule?.body.leave_cover_pct ?? 50)
  return is_away && !excused.includes(state) ? attend_flags.conflict : 0
}

type Step = { name: string; look: (one: Case) => Found | string }
const rollcall_step: Step = { name: 'rollcall', look: byClaim }
const device_steps: readonly Step[] = [{ name: 'event', look: byClock }, { name: 'carry', look: byCarry }]
const last_steps: readonly Step[] = [
  { name: 'leave', look: byLeave }, { name: 'open', look: beforeTheEnd }, { name: 'watermark', look: byWatermark }
]

/** The rungs below the rule: the first that finds something decides, each says what it looked at. */
function climb(one: Case, ladder: Rung[]): Found & { step: string } {
  const { body, claim } = one
  const wins = body.rollcall === 'wins' || one.of.expect_kind === exam_kind
  // A teacher who says absent goes before devices; a leave still explains it.
  const devices = wins && claim?.claim === 'absent' ? [] : device_steps
  const steps = wins ? [rollcall_step, ...devices, ...last_steps] : [...devices, rollcall_step, ...last_steps]
  for (const { name, look } of steps) {
    const answer = look(one)
    if (typeof answer !== 'string') return { ...answer, step: name }
    ladder.push({ step: name, hit: false, text: answer })
  }
  return {
    step: 'absent', state: states.absent, flags: whereabouts(one) | conflictOf(one), text: claim?.claim !== 'absent'
      ? '未见打卡' : one.of.expect_kind === exam_kind ? '监考登记为缺考' : '任课教师点名为缺勤',
  }
}

/** Roll-call and supervised entry: what a teacher saw. An absence goes on down the ladder, where a leave may explain it. */
function byClaim(one: Case): Found | string {
  const { claim, of, span, body, clocks } = one
  const is_exam = of.expect_kind === exam_kind
  if (!claim) return is_exam ? '监考没有登记' : '教师没有点名'
  if (claim.claim === 'absent') return is_exam ? '监考登记为缺考' : '教师点名为未到'
  const common = {
    in_at: clocks.find(clock => isIn(inWindow(span, body), clock.at))?.at ?? null,
    identify_type: claim.source === bulk ? (claim.way ?? null) : hand_way, event_ref: claim.ref,
  }
  if (claim.source === bulk) return { ...common, state: states.made_up, flags: attend_flags.bulk, text: '任课教师批量补录' }
  if (claim.claim === 'late') return {
    ...common, state: states.late,
    late_min: Math.min(Math.max(1, lateMinutes(span.begin, claim.at, body.late_grace_min)), Math.max(1, body.late_until_min)),
    text: is_exam ? '监考登记为迟到' : '任课教师点名为迟到',
  }
  if (claim.claim === 'left') return {
    ...common, state: states.early, early_min: Math.max(1, Math.ceil((of.end - claim.at) / minute_ms)), text: is_exam
      ? '监考登记为提前离场' : '任课教师记为早退'
  }
  return { ...common, state: states.present, flags: presentOnLeave(one), text: is_exam ? '监考登记到考' : '任课教师点名已到' }
}

function byClock(one: Case): Found | string {
  const { body, span, clocks } = one
  const clock = clocks.find(seen => isIn(inWindow(span, body), seen.at))
  if (!clock) return '时段内未见打卡'
  const late_min = lateMinutes(span.begin, clock.at, body.late_grace_min)
  const flags = (clock.time_state === 0 ? 0 : attend_flags.clock) | presentOnLeave(one)
  const found = {
    in_at: clock.at, identify_type: clock.way, event_ref: clock.ref, flags, text: `${clockText(clock.at)}${clock.place?.name ?? ''}打卡`,
  }
  return late_min > 0 ? { ...found, state: states.late, late_min } : { ...found, state: states.present }
}

function byCarry({ day, of, body, before }: Case): Found | string {
  const carried = carriedFrom(day, of, body, before)
  if (typeof carried === 'string') return carried
  return {
    state: states.present, in_at: carried.in_at, identify_type: carried.identify_type, event_ref: carried.event_ref,
    flags: attend_flags.carried, text: `${clockText(carried.in_at)}的打卡沿用到本节`,
  }
}

function byLeave({ day, of, body, covered_pct, span }: Case): Found | string {
  const over = day.leaves.filter(leave => leave.begin < of.end && leave.end > of.begin)
  if (over.length === 0) return '没有请假'
  if (covered_pct < body.leave_cover_pct) return `请假只覆盖本节的${Math.floor(covered_pct)}%，按${clockText(span.begin)}至${clockText(span.end)}判定`
  const is_public = over.some(leave => leave.is_public)
  return { state: is_public ? states.outside : states.leave, text: coverText(over) }
}

function beforeTheEnd({ day, body, span }: Case): Found | string {
  const { end } = inWindow(span, body)
  return day.as_of < end ? { state: states.early_to_say, text: `打卡时段到${clockText(end)}结束` } : '打卡时段已结束'
}

/** Never absent before every device that could have seen him has handed over everything (chapter 55 §3.9). */
function byWatermark(one: Case): Found | string {
  const { day, of, body, span, claim } = one
  if (claim?.claim === 'absent') return '教师在场点名，不依赖设备'
  const window = inWindow(span, body)
  const silent = of.points.filter(point => point.drained_to === null || point.drained_to < window.end)
  const blind = of.points.filter(point => point.outages.some(outage => outage.begin <= window.begin && outage.end >= window.end))
  const is_blind = blind.length === of.points.length
  if (silent.length === 0 && !is_blind) return '考勤设备的记录已全部上传'
  const text = of.points.length === 0 ? '该场所没有考勤设备，也没有点名' : outageText(silent[0] ?? blind[0], window)
  const is_over = day.exempt_unverified_after !== null && day.as_of >= window.end + day.exempt_unverified_after
  if (is_over) return { state: states.exempt, flags: attend_flags.unverified, text: `${text}，超过核实期限` }
  return { state: states.unverified, provisional: silent.length > 0, flags: whereabouts(one), text }
}

function finish(day: PersonDay, of: Expectation, ladder: Rung[], { text, ...found }: Found): Verdict {
  const base: Verdict = {
    expect_kind: of.expect_kind, occurrence_id: of.occurrence_id, state: found.state, in_at: null, out_at: null, identify_type: null, late_min: 0, early_min: 0, flags: 0, event_ref: null,
    rule_ref: of.rule?.ref ?? null, correction_id: null, provisional: false, ladder, sentence: '',
  }
  const verdict = withLeaving(day, of, { ...base, ...found, correction_id: of.correction?.correction_id ?? null })
  return { ...verdict, flags: verdict.flags | elsewhere(day, of, verdict), sentence: sentenceOf(day, of, verdict, text) }
}

/** 早退 only from evidence; late and early keeps 迟到 and both minutes (chapter 55 §3.5, §3.6). */
function withLeaving(day: PersonDay, of: Expectation, verdict: Verdict): Verdict {
  const came: readonly number[] = [states.present, states.late]
  if (of.rule === null || of.correction || !came.includes(verdict.state)) return verdict
  const { out_at, early_min, is_missing } = earlyLeaving(day, of, of.rule.body, verdict)
  const flags = verdict.flags | (is_missing ? attend_flags.no_out : 0)
  if (early_min === 0) return { ...verdict, out_at, flags }
  const is_late = verdict.state === states.late
  return {
    ...verdict, out_at, early_min, state: is_late ? states.late : states.early, flags: flags | (is_late ? attend_flags.late_and_early : 0)
  }
}

/** Seen at another place while he should come here. */
function elsewhere(day: PersonDay, of: Expectation, { state }: Verdict): number {
  const missing: readonly number[] = [states.absent, states.unverified]
  const { rule } = of
  if (rule === null || !missing.includes(state)) return 0
  const window = inWindow(of, rule.body)
  return day.evidence.some(one => isSeen(one) && isIn(window, one.at) && !matchesPlace(
    rule.body.place_match, of.place, one.place
  )) ? attend_flags.wrong_room : 0
}

function whereabouts({ day, of, body }: Case): number {
  const last = day.gates.findLast(gate => gate.at < inWindow(of, body).end)
  if (!last) return 0
  return last.direction === 1 ? attend_flags.in_school : attend_flags.not_in_school
}

function presentOnLeave({ covered_pct, body }: Case): number {
  return covered_pct >= body.leave_cover_pct ? attend_flags.leave_present : 0
}

function conflictOf({ claim, clocks, body, span }: Case): number {
  return claim?.claim === 'absent' && clocks.some(clock => isIn(inWindow(span, body), clock.at)) ? attend_flags.conflict : 0
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
