const days = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Shanghai' })

/** The day of a key's folder, yyyyMMdd in the schools' time zone. */
export function keyDay(at: Date): string {
  return days.format(at).replaceAll('-', '')
}
