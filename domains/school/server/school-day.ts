const school_zone_ms = 8 * 3_600_000
const day_ms = 86_400_000

/** The day in Asia/Shanghai, `YYYY-MM-DD`. */
export function schoolDay(at: Date): string {
  return new Date(at.getTime() + school_zone_ms).toISOString().slice(0, 10)
}

/** Days from one `YYYY-MM-DD` to another. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / day_ms)
}
