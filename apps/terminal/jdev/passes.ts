import { schoolMoment } from '@kit/terminal-protocol'
import type { EventItem } from '@kit/terminal-protocol'
import { z } from 'zod'

const [most_recent, minutes_an_hour, hours_a_day] = [10, 60, 24] as const

/** The last passes and how many there were in each hour of the day, whether they are with the server or not. */
export const Passes = z.object({ recent: z.array(z.looseObject({ at: z.string(), seq: z.number(), type: z.string() })), date: z.string(), hours: z.array(z.number()) })
export type Passes = z.output<typeof Passes>

export function noPasses(): Passes {
  return { recent: [], date: '', hours: hoursOf() }
}

/** With one more pass; another day begins at nought. */
export function withPass({ recent, date, hours }: Passes, item: EventItem): Passes {
  const moment = schoolMoment(new Date(item.at))
  const counted = date === moment.date ? [...hours] : hoursOf()
  const hour = Math.floor(moment.minute / minutes_an_hour)
  counted[hour] = (counted[hour] ?? 0) + 1
  return { recent: [item, ...recent].slice(0, most_recent), date: moment.date, hours: counted }
}

/** The hours of a date; of any other than the counted one there are none. */
export function hoursAt({ date, hours }: Passes, at: Date): { date: string; hours: number[] } {
  const today = schoolMoment(at).date
  return { date: today, hours: date === today ? hours : hoursOf() }
}

function hoursOf(): number[] {
  return Array.from({ length: hours_a_day }, () => 0)
}
