const zone_ms = 8 * 3_600_000
const [days, hour_minutes] = [7, 60] as const
const weekdays = ['1', '2', '3', '4', '5', '6', '7'] as const

/** An instant in the school's time: 2026-03-04 07:41. */
export function timeText(at: Date): string {
  return local(at).toISOString().slice(0, 16).replace('T', ' ')
}

/** The weekday at school, Monday 1, and the minute of the day. */
export function dayTime(at: Date): { weekday: (typeof weekdays)[number]; minute: number } {
  const there = local(at)
  return { weekday: weekdays[(there.getUTCDay() + days - 1) % days] ?? '1', minute: there.getUTCHours() * hour_minutes + there.getUTCMinutes() }
}

/** The minute of the day of `HH:mm`. */
export function minuteOf(text: string): number {
  const [hours = 0, minutes = 0] = text.split(':').map(Number)
  return hours * hour_minutes + minutes
}

function local(at: Date): Date {
  return new Date(at.getTime() + zone_ms)
}
