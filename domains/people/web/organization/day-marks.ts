const day_ms = 86_400_000
const year_days = 366
const most_past_days = 3 * year_days
/** A label needs this share of the line for itself. */
const label_share = 0.09

/** The line of days: from the first change (at most three years back) to the last scheduled one, at least until today. */
export type DayLine = { first: string; days: number; marks: { at: number; day: string; changes: number }[] }

/** The line that the slider draws. Places are whole days from `first`. */
export function dayLine(changes: readonly { day: string; changes: number }[], today: string): DayLine {
  const sorted = changes.toSorted((a, b) => a.day.localeCompare(b.day))
  const earliest = dayAfter(today, -most_past_days)
  const first = [sorted[0]?.day ?? today, today].toSorted()[0] ?? today
  const start = first < earliest ? earliest : first
  const last = [sorted.at(-1)?.day ?? today, today].toSorted().at(-1) ?? today
  return { first: start, days: daysBetween(start, last), marks: sorted.filter(({ day }) => day >= start).map(mark => ({ ...mark, at: daysBetween(start, mark.day) })) }
}

/** Places whose day is written out: today before all others, then from the left, none over another. */
export function labelled({ days, marks }: DayLine, today_at: number): number[] {
  const room = Math.max(1, days * label_share)
  const chosen = [today_at]
  for (const { at } of marks) {
    if (chosen.every(other => Math.abs(other - at) >= room)) chosen.push(at)
  }
  return chosen
}

/** The day of the nearest change before or after a day; null when there is none. */
export function nextChange({ marks }: DayLine, day: string, step: 1 | -1): string | null {
  if (step === 1) return marks.find(mark => mark.day > day)?.day ?? null
  return marks.findLast(mark => mark.day < day)?.day ?? null
}

/** The day `n` days later (earlier when negative). */
export function dayAfter(day: string, n: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + n * day_ms).toISOString().slice(0, 10)
}

/** Whole days from one day to another. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / day_ms)
}
