const zone_ms = 8 * 3_600_000
const day_ms = 86_400_000

/** Shortest time a journal is kept (等保), whatever is set. */
const least_keep_days = 180

/** The month of a moment at school, `YYYY-MM`. */
export function monthOf(at: Date): string {
  return new Date(at.getTime() + zone_ms).toISOString().slice(0, 7)
}

/** The month after (`by` months later). */
export function monthAfter(month: string, by = 1): string {
  const at = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1 + by
  return `${String(Math.floor(at / 12)).padStart(4, '0')}-${String((at % 12) + 1).padStart(2, '0')}`
}

/** The first moment of a month at school. */
export function startOfMonth(month: string): Date {
  return new Date(`${month}-01T00:00:00+08:00`)
}

/** The first month that is still kept. Whole months go: a month stays while its last day is younger than `keep_days`, of which 180 is the least. */
export function firstMonthKept(now: Date, keep_days: number): string {
  return monthOf(new Date(now.getTime() - Math.max(keep_days, least_keep_days) * day_ms))
}
