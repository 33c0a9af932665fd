const school_zone_ms = 8 * 3_600_000
const day_ms = 86_400_000

/** The day in Asia/Shanghai, `YYYY-MM-DD`. */
export function schoolDay(now: Date): string {
  return new Date(now.getTime() + school_zone_ms).toISOString().slice(0, 10)
}

/** The instant of a time of day `HH:mm` in Asia/Shanghai. */
export function schoolTime(day: string, time: string): Date {
  return new Date(`${day}T${time}:00+08:00`)
}

/** First day of the school year that holds the day: 1 September. */
export function schoolYearStart(day: string): string {
  const year = Number(day.slice(0, 4))
  return day.slice(5) >= '09-01' ? `${year}-09-01` : `${year - 1}-09-01`
}

/** The day `n` days later (earlier when negative). */
export function addDays(day: string, n: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + n * day_ms).toISOString().slice(0, 10)
}
