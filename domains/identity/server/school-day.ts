const school_zone_ms = 8 * 3_600_000
const day_ms = 86_400_000

/** The day in Asia/Shanghai, `YYYY-MM-DD`. */
export function schoolDay(at: Date): string {
  return new Date(at.getTime() + school_zone_ms).toISOString().slice(0, 10)
}

/** The instant at which a day begins in Asia/Shanghai. */
export function startOfDay(day: string): Date {
  return new Date(`${day}T00:00:00+08:00`)
}

/** The instant at which the next day begins: the exclusive end of an interval whose last day this is. */
export function endOfDay(day: string): Date {
  return new Date(startOfDay(day).getTime() + day_ms)
}

/** The last day of an interval with this exclusive end; null = open. */
export function lastDay(valid_to: Date | null): string | null {
  return valid_to && schoolDay(new Date(valid_to.getTime() - 1))
}
