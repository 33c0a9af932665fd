import { judgeDay } from '../judge/judge.ts'
import type { Verdict } from '../judge/types.ts'
import { inWindow } from '../judge/window.ts'
import type { Assembled } from './assemble.ts'
import type { Expected } from './expect.ts'

/** A row of results as it is stored, without school and date. */
export type ResultRow = {
  occurrence_id: string
  user_id: string
  expect_kind: number
  person_kind: number
  section: number
  subject: string | null
  course_id: string | null
  place_id: string | null
  dept_id: string
  class_id: string | null
  role: number | null
  state: number
  in_at: Date | null
  out_at: Date | null
  identify_type: number | null
  late_min: number
  early_min: number
  flags: number
  event_ref: string | null
  rule_version: string | null
  correction_id: string | null
  provisional: boolean
}
/** A judged row with its verdict and expectation; a pupil in school who is missing so many minutes after the begin is an alert. */
export type Judged = { row: ResultRow; verdict: Verdict; of: Expected; alert_min: number; notify: Notify | null }
/** What the rule says of messages to families; `from`: when the window of coming ends. */
type Notify = { absent: boolean; late: boolean; delay_min: number; from: number }

export function rowKey({ expect_kind, occurrence_id, user_id }: Pick<ResultRow, 'expect_kind' | 'occurrence_id' | 'user_id'>): string {
  return `${expect_kind}/${occurrence_id}/${user_id}`
}

/** Judges everybody of a group. */
export function judgeAll(days: readonly Assembled[]): Judged[] {
  return days.flatMap(({ day, expected }) => {
    const of = new Map(expected.map(one => [`${one.expect_kind}/${one.occurrence_id}`, one]))
    return judgeDay(day).flatMap(verdict => {
      const found = of.get(`${verdict.expect_kind}/${verdict.occurrence_id}`)
      const rule = day.expectations.find(one => one.expect_kind === verdict.expect_kind &&
        one.occurrence_id === verdict.occurrence_id)?.rule
      const notify = rule && found ? { ...rule.body.notify, from: inWindow(found, rule.body).end } : null
      return found ? [{ row: rowOf(found, verdict), verdict, of: found, alert_min: rule?.body.alert_missing_min ?? 0, notify }] : []
    })
  })
}

function rowOf(of: Expected, verdict: Verdict): ResultRow {
  const { occurrence_id, user_id, expect_kind, person_kind, section, subject, course_id, place_id, dept_id, class_id, role } = of
  const { state, in_at, out_at, identify_type, late_min, early_min, flags, event_ref, rule_ref, correction_id, provisional } = verdict
  return {
    occurrence_id, user_id, expect_kind, person_kind, section, subject, course_id, place_id, dept_id, class_id, role, state, in_at: in_at === null
      ? null
      : new Date(in_at), out_at: out_at === null
      ? null
      : new Date(out_at),
    identify_type, late_min, early_min, flags, event_ref, rule_version: rule_ref, correction_id, provisional,
  }
}

/** Whether two rows of one expectation say the same in every column. */
export function isSame(a: ResultRow, b: ResultRow): boolean {
  return textOf(a) === textOf(b)
}

function textOf(row: ResultRow): string {
  return JSON.stringify([
    row.person_kind, row.section, row.subject, row.course_id, row.place_id, row.dept_id, row.class_id, row.role, row.state, row.in_at, row.out_at, row.identify_type, row.late_min, row.early_min, row.flags, row.event_ref,
    row.rule_version, row.correction_id, row.provisional,
  ])
}
