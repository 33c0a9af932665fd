import { addDays } from '@campus/calendar/contract'
import { leaveErrors, lengthText } from '@campus/leave/contract'
import type { AskedSpan, LeaveDraft, LeaveSetting } from '@campus/leave/contract'
import { commonErrors, fail } from '@kit/contract'
import { sql } from 'kysely'
import type { Act, Db } from '../db.ts'
import type { Subject } from '../flow/approvers.ts'
import type { FlowFacts } from '../flow/flow.ts'
import type { RunningForm } from '../form/version.ts'
import { loadDays } from '../span/days.ts'
import { dateAt, day_ms, measureSpan, resolveHalf } from '../span/measure.ts'
import type { DayPlan, Measured, Span } from '../span/measure.ts'

const pupil = 1
const boarder_methods: ReadonlySet<string> = new Set(['2', '3'])
const longest_ms = 180 * day_ms
const minute_ms = 60_000
const exam = 9

/** One resolved and measured span of a person. */
type MeasuredSpan = Span & Measured
export type MemberSpans = ReadonlyMap<string, readonly MeasuredSpan[]>

/**
 * The asked times of everybody, by the clock of his grade and measured (chapter 70 L1, L2); nothing of half days is left afterwards.
 * @throws Refusal spanOrder, spanLong, noHalf
 */
export async function resolveSpans({ db, school_id }: Pick<Act, 'db' | 'school_id'>, subjects: readonly Subject[], asked: readonly AskedSpan[]): Promise<MemberSpans> {
  for (const { begin, end, half } of asked) {
    const backwards = half === undefined ? Date.parse(end) <= Date.parse(begin) : dateAt(Date.parse(end)) < dateAt(Date.parse(begin))
    if (backwards) throw fail(leaveErrors.spanOrder, { errors: [{ field: 'spans', msg: leaveErrors.spanOrder.msg }] })
    if (Date.parse(end) - Date.parse(begin) > longest_ms) throw fail(leaveErrors.spanLong, { errors: [{ field: 'spans', msg: leaveErrors.spanLong.msg }] })
  }
  const from = asked.map(one => dateAt(Date.parse(one.begin))).toSorted()[0] ?? ''
  const to = asked.map(one => dateAt(Date.parse(one.end))).toSorted().at(-1) ?? ''
  const by_grade = new Map<string, Map<string, DayPlan>>()
  const spans = new Map<string, MeasuredSpan[]>()
  for (const subject of subjects) {
    const grade = subject.person_kind === pupil ? subject.grade : null
    const days = by_grade.get(grade ?? '') ?? (await loadDays(db, school_id, grade, from, to))
    by_grade.set(grade ?? '', days)
    const whole_days = subject.person_kind !== pupil || boarder_methods.has(subject.study_method ?? '')
    spans.set(subject.user_id, asked.map(one => measured(one, days, whole_days)).toSorted((one, other) => one.begin - other.begin))
  }
  return spans
}

function measured({ begin, end, half }: AskedSpan, days: ReadonlyMap<string, DayPlan>, whole_days: boolean): MeasuredSpan {
  const asked = { begin: Date.parse(begin), end: Date.parse(end) }
  const [first, last] = [days.get(dateAt(asked.begin)), days.get(dateAt(asked.end))]
  const span = half === undefined || !first || !last ? asked : resolveHalf(first, last, half, whole_days)
  if (span === null) throw fail(leaveErrors.noHalf, { params: { day: dateAt(asked.begin) } })
  return { ...span, ...measureSpan(span, [...days.values()].filter(day => day.date >= addDays(dateAt(span.begin), -1) && day.date <= dateAt(span.end))) }
}

/** What the conditions of a flow ask of a leave; of several people the longest and most frequent. */
export async function flowFacts({ db, school_id }: Pick<Act, 'db' | 'school_id'>, subjects: readonly Subject[], spans: MemberSpans, leave_type: string): Promise<FlowFacts> {
  const user_ids = subjects.map(one => one.user_id)
  const all = [...spans.values()].flat()
  const begin = new Date(Math.min(...all.map(one => one.begin)))
  const { rows } = await sql<{ times: number }>`
    select count(distinct m.leave_id)::int as times
    from leave_member m join leave_span s on s.school_id = ${school_id} and s.leave_id = m.leave_id and s.user_id = m.user_id
    where m.school_id = ${school_id} and m.user_id = any(${user_ids}::bigint[]) and m.state in (2, 5, 6, 7, 8)
      and date_trunc('month', s.begin_at at time zone 'Asia/Shanghai') = date_trunc('month', ${begin}::timestamptz at time zone 'Asia/Shanghai')
    group by m.user_id`.execute(db)
  return {
    leave_type,
    minutes: Math.max(...[...spans.values()].map(of => of.reduce((sum, one) => sum + one.minutes, 0))),
    study_methods: subjects.flatMap(one => one.study_method ?? []),
    in_exam: await isExam(db, school_id, subjects, all),
    month_times: Math.max(0, ...rows.map(row => row.times)) + 1,
  }
}

/** Whether a day of the leave is an exam day of somebody's grade; the calendar says so, not exams (90 §8, 36). */
async function isExam(db: Db, school_id: number, subjects: readonly Subject[], spans: readonly Span[]): Promise<boolean> {
  const grades = [...new Set(subjects.flatMap(one => (one.person_kind === pupil ? (one.grade ?? []) : [])))]
  const [from, to] = [dateAt(Math.min(...spans.map(one => one.begin))), dateAt(Math.max(...spans.map(one => one.end)) - 1)]
  if (grades.length === 0) return false
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from school_day_v d
    where d.school_id = ${school_id} and d.grade = any(${grades}::text[]) and d.date >= ${from}::date and d.date <= ${to}::date and d.day_kind = ${exam}`.execute(db)
  return (rows[0]?.n ?? 0) > 0
}

export type Asked = { draft: LeaveDraft; form: RunningForm; subjects: readonly Subject[]; spans: MemberSpans; facts: FlowFacts; setting: LeaveSetting; reason: ReasonFacts }
export type ReasonFacts = { reason_code: string; person_kinds: number[]; leave_types: string[]; need_attach: boolean; need_pickup: boolean }

/** What does not depend on the time: form, type, reason and people fit together. @throws Refusal typeUnfit, kindUnfit, reasonUnfit */
export function checkFit({ draft, form, subjects, reason }: Pick<Asked, 'draft' | 'form' | 'subjects' | 'reason'>): void {
  const at = (field: string, failure: { msg: string }) => ({ errors: [{ field, msg: failure.msg }] })
  if (!form.design.leave_types.includes(draft.leave_type)) throw fail(leaveErrors.typeUnfit, at('leave_type', leaveErrors.typeUnfit))
  if (subjects.some(one => one.person_kind !== form.person_kind)) throw fail(leaveErrors.kindUnfit, at('user_ids', leaveErrors.kindUnfit))
  const fits = reason.person_kinds.includes(form.person_kind) && (reason.leave_types.length === 0 || reason.leave_types.includes(draft.leave_type))
  if (!fits) throw fail(leaveErrors.reasonUnfit, at('reason_code', leaveErrors.reasonUnfit))
}

/** The rules of the form (chapter 70 §2.1 submit). @throws Refusal tooLate, tooSoon, length, examBlocked, needAttach, needPickup */
export function checkRules({ draft, form: { design }, spans, facts, setting, reason }: Asked, now: Date): void {
  const at = (field: string, msg: string) => ({ errors: [{ field, msg }] })
  const begin = Math.min(...[...spans.values()].flat().map(one => one.begin))
  const refuse = (failure: typeof leaveErrors.length, field: string, params: Record<string, string | number> = {}) =>
    fail(failure, { params, ...at(field, Object.entries(params).reduce((msg, [name, value]) => msg.replace(`{${name}}`, String(value)), failure.msg)) })
  if (begin < now.getTime() - design.backdate_days * day_ms) throw refuse(leaveErrors.tooLate, 'spans', { n: design.backdate_days })
  if (begin >= now.getTime() && begin < now.getTime() + design.advance_min * minute_ms) throw refuse(leaveErrors.tooSoon, 'spans', { n: design.advance_min })
  const is_short = facts.minutes < design.min_minutes
  if (is_short || facts.minutes > design.max_minutes) throw refuse(leaveErrors.length, 'spans', { a: lengthText(design.min_minutes), b: lengthText(design.max_minutes) })
  if (setting.pause_during_exam && facts.in_exam) throw refuse(leaveErrors.examBlocked, 'spans')
  const is_long = design.attach_from_days !== null && Math.max(...[...spans.values()].map(of => of.reduce((sum, one) => sum + one.school_days, 0))) >= design.attach_from_days
  if ((reason.need_attach || is_long) && draft.attach_keys.length === 0) throw refuse(leaveErrors.needAttach, 'attach_keys')
  const exit_mode = draft.exit_mode ?? design.exit_mode
  if ((reason.need_pickup || exit_mode === 2) && draft.pickup_id === undefined) throw refuse(leaveErrors.needPickup, 'pickup_id')
}

/** @throws Refusal 404 */
export async function requireReason(db: Db, school_id: number, reason_code: string): Promise<ReasonFacts> {
  const found = await db.selectFrom('leave_reason').select(['reason_code', 'person_kinds', 'leave_types', 'need_attach', 'need_pickup']).where('school_id', '=', school_id).where('reason_code', '=', reason_code).where('status', '=', 1).executeTakeFirst()
  if (!found) throw fail(commonErrors.notFound)
  return found
}

/** One after the other for these people, so that the look for an overlap and the insert are one (chapter 70 L3); the constraint stands behind it. */
export async function lockPeople(db: Db, school_id: number, user_ids: readonly string[]): Promise<void> {
  const names = [...user_ids].toSorted().map(user_id => `leave ${school_id} ${user_id}`)
  await sql`select pg_advisory_xact_lock(hashtextextended(n.name, 33)) from unnest(${names}::text[]) with ordinality n(name, at) order by n.at`.execute(db)
}

/** The number of another live leave of somebody that overlaps; null when there is none. */
export async function findOverlap(db: Db, school_id: number, spans: MemberSpans, but_leave_id: string | null): Promise<string | null> {
  const asked = [...spans].flatMap(([user_id, of]) => of.map(({ begin, end }) => ({ user_id, begin_at: new Date(begin).toISOString(), end_at: new Date(end).toISOString() })))
  const { rows } = await sql<{ leave_no: string }>`
    select a.leave_no
    from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) x(user_id bigint, begin_at timestamptz, end_at timestamptz)
    join leave_span s on s.school_id = ${school_id} and s.user_id = x.user_id and s.live and s.begin_at < x.end_at and s.end_at > x.begin_at
    join leave_apply a on a.school_id = ${school_id} and a.leave_id = s.leave_id
    where s.leave_id <> ${but_leave_id ?? '0'} order by a.leave_id limit 1`.execute(db)
  return rows[0]?.leave_no ?? null
}
