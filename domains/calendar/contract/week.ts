const day_ms = 86_400_000
const days_of_week = 7

const msOf = (day: string) => Date.parse(`${day}T00:00:00Z`)

/** The day `n` days later, earlier when negative. */
export function addDays(day: string, n: number): string {
  return new Date(msOf(day) + n * day_ms).toISOString().slice(0, 10)
}

/** How many days there are from one to another, both included; 0 where the first is the later one, NaN where one is no day. */
export function countDays(from: string, to: string): number {
  const count = Math.round((msOf(to) - msOf(from)) / day_ms) + 1
  return count < 0 ? 0 : count
}

/** Every day from one to another, both included. */
export function daysFrom(from: string, to: string): string[] {
  return Array.from({ length: countDays(from, to) }, (_, at) => addDays(from, at))
}

/** 1 = Monday to 7 = Sunday. */
export function weekdayOf(day: string): number {
  return new Date(msOf(day)).getUTCDay() || days_of_week
}

/** The Monday of the week that holds the day; Sunday ends a week. */
export function mondayOf(day: string): string {
  return addDays(day, 1 - weekdayOf(day))
}

/** The week of a term that holds the day: week 1 is the one with the first day (chapter 50 rule 1). */
export function weekOf(day: string, begin_date: string): number {
  return Math.round((msOf(mondayOf(day)) - msOf(mondayOf(begin_date))) / (days_of_week * day_ms)) + 1
}

/** WEEK_KIND of a week: 1 odd, 2 even; the other way round where week 1 is an even one. */
export function weekKindOf(week_no: number, odd_first: boolean): 1 | 2 {
  return (week_no % 2 === 1) === odd_first ? 1 : 2
}

/** How many weeks a term has. */
export function weekCount({ begin_date, end_date }: { begin_date: string; end_date: string }): number {
  return weekOf(end_date, begin_date)
}
