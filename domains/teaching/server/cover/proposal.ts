import type { DayLesson, Proposal } from '@campus/teaching/contract'

/** A teacher as a substitute: what he teaches, his lessons of that day, his covers of the term. */
export type Candidate = {
  user_id: string; user_name: string
  /** subject and grade pairs, `13 31` */
  teaches: ReadonlySet<string>
  subjects: ReadonlySet<string>
  class_ids: ReadonlySet<string>
  today: readonly { begin: number; end: number; lesson_day_id: string; state: number }[]
  away: readonly { begin: number; end: number }[]
  net: number
}
export type Wanted = { lesson: DayLesson; subject: string; grade: string }

const most_a_day = 7
const noon_hour_utc = 4
const points = { grade: 40, subject: 25, own_class: 20, near: 10, gap: 5, cover: 4 } as const
const longest_gap_ms = 30 * 60_000

/** A free and present teacher with the reasons that rank him; null: he cannot take the lesson (chapter 50 rule 31). */
export function propose({ lesson, subject, grade }: Wanted, one: Candidate): Proposal | null {
  const [begin, end] = [Date.parse(lesson.begin_at), Date.parse(lesson.end_at)]
  const meets = (other: { begin: number; end: number }) => other.begin < end && begin < other.end
  if (lesson.teachers.some(teacher => teacher.user_id === one.user_id) || one.today.some(meets) || one.away.some(meets)
    || one.today.length >= most_a_day) return null
  const reasons: string[] = []
  let score = 50
  const add = (by: number, reason: string) => {
    score += by
    reasons.push(reason)
  }
  if (one.teaches.has(`${subject} ${grade}`)) add(points.grade, '同学科同年级')
  else if (one.subjects.has(subject)) add(points.subject, '同学科')
  if (one.class_ids.has(lesson.class_id)) add(points.own_class, '任教本班')
  const half = (at: number) => new Date(at).getUTCHours() < noon_hour_utc
  if (one.today.some(other => half(other.begin) === half(begin))) add(points.near, '该半天在校有课')
  const touches = one.today.some(other => Math.abs(other.end - begin) <= longest_gap_ms || Math.abs(end - other.begin) <= longest_gap_ms)
  if (touches) add(points.gap, '与本人课相邻')
  if (one.net > 0) add(-points.cover * one.net, `本学期已净代${one.net}节`)
  if (one.net < 0) add(-points.cover * one.net, `本学期被代${-one.net}节`)
  return { user_id: one.user_id, user_name: one.user_name, score: Math.max(0, score), reasons }
}
