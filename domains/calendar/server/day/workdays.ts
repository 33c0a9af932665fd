import { daysFrom, holiday_kinds, weekdayOf } from '@campus/calendar/contract'
import { asTables } from '@kit/server/db'
import type { QueryExecutorProvider } from 'kysely'
import type { CalendarDb } from '../db.ts'
import { nationalSpecials } from './national.ts'

const saturday = 6
const { national, bridge, make_up } = holiday_kinds
type Marked = { begin_date: string; end_date: string; kind: number }

/** The working days of a span by law, both ends included: Monday to Friday without holidays, and make-up days. School vacations are working days. */
export async function workdays(db: QueryExecutorProvider, { school_id, from, to }: { school_id: number; from: string; to: string }): Promise<string[]> {
  const set = await asTables<CalendarDb>(db)
    .selectFrom('calendar_special')
    .select(['begin_date', 'end_date', 'kind'])
    .where('school_id', '=', school_id)
    .where('scope_kind', '=', 'school')
    .where('kind', 'in', [national, bridge, make_up])
    .where('begin_date', '<=', to)
    .where('end_date', '>=', from)
    .execute()
  return countedDays({ from, to }, set)
}

/** The same from what is known: a school's own line goes before the national calendar, which holds where the school has none. */
export function countedDays({ from, to }: { from: string; to: string }, set: readonly Marked[]): string[] {
  const years = new Set([Number(from.slice(0, 4)), Number(to.slice(0, 4))])
  const marked = [...set, ...[...years].flatMap(nationalSpecials)]
  return daysFrom(from, to).filter(day => {
    const kind = marked.find(one => one.begin_date <= day && day <= one.end_date)?.kind
    return kind === undefined ? weekdayOf(day) < saturday : kind === make_up
  })
}
