import { addDays, schoolDay, schoolTime } from '../day.ts'

type Window = { from: string; to: string }

/** The first moment from `at` on that lies in the nightly hours, which may reach over midnight. */
export function nextInWindow(at: Date, { from, to }: Window): Date {
  const day = schoolDay(at)
  const over = to < from
  for (const begin of [addDays(day, -1), day, addDays(day, 1)]) {
    const opens = schoolTime(begin, from)
    const closes = schoolTime(over ? addDays(begin, 1) : begin, to)
    if (at < closes) return at < opens ? opens : at
  }
  return schoolTime(addDays(day, 2), from)
}
