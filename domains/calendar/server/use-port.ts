import { Port } from '@kit/server/http'
import type { QueryExecutorProvider } from 'kysely'

/** What is to go or to be closed: a term, or the times of a bell. */
export type CalendarAsked = { school_id: number; today: string } & ({ semester_id: number } | { bell_id: string })
/** Days that are to change, by grade. */
export type CalendarChange = { school_id: number; today: string; dates: readonly string[]; grades: readonly string[] }

/**
 * What other domains hang upon the calendar (chapter 90 §1, calendar's use and impact check): `in_use` names what keeps a term or a bell from going,
 * as a person would (课表 3 份); `impact` says in short sentences what a change of days would do to them.
 */
export type CalendarUse = {
  in_use: (db: QueryExecutorProvider, asked: CalendarAsked) => Promise<readonly string[]>
  impact: (db: QueryExecutorProvider, change: CalendarChange) => Promise<readonly string[]>
}
const calendarUsePort = new Port<CalendarUse>('calendar.use')

/** Registers what a domain hangs upon the calendar. */
export function registerUse(app: object, use: CalendarUse): void {
  calendarUsePort.fill(app, use)
}

/** Everything that is hung upon it. */
export async function usesOf(app: object, db: QueryExecutorProvider, asked: CalendarAsked): Promise<string[]> {
  return (await Promise.all(calendarUsePort.all(app).map(({ in_use }) => in_use(db, asked)))).flat()
}

/** What a change of days would do elsewhere. */
export async function impactsOf(app: object, db: QueryExecutorProvider, change: CalendarChange): Promise<string[]> {
  if (change.dates.length === 0) return []
  return (await Promise.all(calendarUsePort.all(app).map(({ impact }) => impact(db, change)))).flat()
}
