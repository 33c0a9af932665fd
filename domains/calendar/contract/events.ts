import { Day, event } from '@kit/contract'
import { z } from 'zod'

const days = { dates: z.array(Day).min(1), grades: z.array(z.string()).min(1) }

/** What the calendar says to the other domains (chapter 50 §7). */
export const calendarEvents = {
  /** these days of these grades are of another kind, follow another day or ring another bell */
  changed: event('calendar.changed', z.object({ ...days, rev: z.number().int() })),
  /** days that have passed were put right */
  dayCorrected: event('calendar.day_corrected', z.object({ ...days, reason: z.string() })),
  yearChanged: event('calendar.year_changed', z.object({ semester_id: z.number().int() })),
  bellChanged: event('calendar.bell_changed', z.object({ from: Day, grades: z.array(z.string()).min(1) })),
}
