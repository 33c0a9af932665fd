import { addDays, mondayOf } from '@campus/calendar/contract'
import { schoolDay } from '@campus/school/server'
import { setTimer } from '@kit/server/event'
import type { Work } from './db.ts'

export const [settle_kind, appeal_kind] = ['evaluation.settle', 'evaluation.appeal'] as const
const [week, month] = [1, 2] as const
/** After the night's work of attendance (chapter 55 §2.8). */
const settle_clock = '02:00'

const periodRef = (kind: number, begin_date: string): string => `${kind}:${begin_date}`

/** First and last day of the week or month of a day. */
export function spanOf(kind: number, day: string): { begin_date: string; end_date: string } {
  if (kind === week) return { begin_date: mondayOf(day), end_date: addDays(mondayOf(day), 6) }
  const begin_date = `${day.slice(0, 7)}-01`
  return { begin_date, end_date: addDays(`${addDays(begin_date, 31).slice(0, 7)}-01`, -1) }
}

/** The week and the month of a star are settled in the night after them; those that are over already were settled then. */
export async function planSettling({ app, db, school_id, now }: Work, day: string): Promise<void> {
  for (const kind of [week, month]) {
    const { begin_date, end_date } = spanOf(kind, day)
    if (end_date >= schoolDay(now))
      await setTimer(
        { app, db, school_id },
        { kind: settle_kind, ref: periodRef(kind, begin_date), due_at: new Date(`${addDays(end_date, 1)}T${settle_clock}:00+08:00`) },
      )
  }
}

export async function planAppeal(
  { app, db, school_id }: Pick<Work, 'app' | 'db' | 'school_id'>,
  appeal_id: string,
  step: number,
  due_at: Date,
): Promise<void> {
  await setTimer({ app, db, school_id }, { kind: appeal_kind, ref: `${appeal_id}:${step}`, due_at })
}
