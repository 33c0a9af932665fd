const zone_ms = 8 * 3_600_000
const day_ms = 86_400_000

/** Day and minute at school, `YYYY-MM-DD HH:mm`. */
export function schoolMinute(at: Date): string {
  return new Date(at.getTime() + zone_ms).toISOString().slice(0, 16).replace('T', ' ')
}

/** The first day of the month at school: the partition of what happens now. */
export function firstOfMonth(at: Date): string {
  return `${schoolMinute(at).slice(0, 7)}-01`
}

/** The moment at which the day began at school. */
export function startOfDay(at: Date): Date {
  return new Date(`${schoolMinute(at).slice(0, 10)}T00:00:00+08:00`)
}

/** The next moment at which the clock at school shows a time (`HH:mm`). */
export function nextTime(at: Date, time: string): Date {
  const today = new Date(`${schoolMinute(at).slice(0, 10)}T${time}:00+08:00`)
  return today.getTime() > at.getTime() ? today : new Date(today.getTime() + day_ms)
}
