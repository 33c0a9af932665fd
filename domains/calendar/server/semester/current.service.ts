import { weekdayOf, weekKindOf, weekOf, whole_school } from '@campus/calendar/contract'
import type { CurrentSemester } from '@campus/calendar/contract'
import { schoolDay } from '@campus/school/server'
import type { CalendarCtx } from '../db.ts'
import { loadWorld, readDays } from '../day/day.queries.ts'
import { resolveDay, termOf } from '../day/resolve.ts'
import { readSemesters } from './semester.queries.ts'

/** The term of today with its week, and what today is; between terms the coming one, else the last. Null while the school has none. */
export async function readCurrent({ db, school_id, now }: CalendarCtx): Promise<{ current: CurrentSemester | null }> {
  const date = schoolDay(now)
  const terms = (await readSemesters(db, { school_id })).toReversed()
  const running = termOf(terms, date)
  const coming = terms.find(({ begin_date }) => begin_date > date)
  const shown = running ?? coming ?? terms.at(-1)
  if (!shown) return { current: null }
  const week_no = running ? weekOf(date, running.begin_date) : null
  const day = (await readDays(db, school_id, { from: date, to: date, grade: whole_school }))[0] ?? resolveDay(await loadWorld(db, school_id), date, whole_school)
  const { day_kind, is_school_day, label, plan_date, plan_weekday } = day
  return {
    current: {
      school_year: shown.school_year, semester_id: shown.id, term: shown.term, begin_date: shown.begin_date, end_date: shown.end_date,
      week_no,
      week_kind: week_no === null ? null : weekKindOf(week_no, shown.odd_first),
      next: coming ? { semester_id: coming.id, name: coming.name, begin_date: coming.begin_date } : null,
      today: { date, weekday: weekdayOf(date), day_kind, is_school_day, label, plan_date, plan_weekday },
    },
  }
}
