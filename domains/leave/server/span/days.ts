import { addDays, daysFrom, weekdayOf, whole_school } from '@campus/calendar/contract'
import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { clockAt } from './measure.ts'
import type { DayPlan, Span } from './measure.ts'

/** What holds where a day has no lesson times: staff, and days on which no bell rings. */
const usual = { begin: 8 * 60, noon: 12 * 60, end: 17 * 60 }
const saturday = 6
const [morning, noon_break, afternoon] = [2, 3, 4] as const
const most_days = 400

type Section = { date: string; section: number | null; section_kind: number; begin_at: Date; end_at: Date }

/** The days of a grade as the calendar has them, make-up days included; `grade` null: staff, by the whole school's calendar. */
export async function loadDays(db: Db, school_id: number, grade: string | null, from: string, to: string): Promise<Map<string, DayPlan>> {
  const last = to > addDays(from, most_days) ? addDays(from, most_days) : to
  const days = await sql<{ date: string; is_school_day: boolean }>`
    select date::text as date, is_school_day from school_day_v
    where school_id = ${school_id} and grade = ${grade ?? whole_school} and date >= ${from}::date and date <= ${last}::date`.execute(db)
  const sections = grade === null ? { rows: [] } : await sql<Section>`
    select date::text as date, section::int as section, section_kind::int as section_kind, begin_at, end_at from bell_of_day_v
    where school_id = ${school_id} and grade = ${grade} and date >= ${from}::date and date <= ${last}::date and section_kind in (2, 3, 4)
    order by begin_at`.execute(db)
  const known = new Map(days.rows.map(row => [row.date, row.is_school_day]))
  const by_day = Map.groupBy(sections.rows, row => row.date)
  return new Map(daysFrom(from, last).map(date => [date, planOf(date, known.get(date) ?? weekdayOf(date) < saturday, by_day.get(date) ?? [])]))
}

function planOf(date: string, is_school_day: boolean, sections: readonly Section[]): DayPlan {
  const spanOf = ({ begin_at, end_at }: Section): Span => ({ begin: begin_at.getTime(), end: end_at.getTime() })
  const lessons = sections.filter(one => one.section !== null && (one.section_kind === morning || one.section_kind === afternoon)).map(spanOf)
  const rest = sections.filter(one => one.section_kind === noon_break).map(spanOf)[0]
  const noon_by_clock = clockAt(date, usual.noon)
  const first = lessons[0]?.begin ?? clockAt(date, usual.begin)
  const last = lessons.at(-1)?.end ?? clockAt(date, usual.end)
  const noon = Math.min(Math.max(rest?.begin ?? noon_by_clock, first), last)
  return { date, is_school_day, lessons, begin: first, noon, end: last }
}
