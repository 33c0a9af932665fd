const zone_ms = 8 * 3_600_000

/** 11月16日 08:30 of an instant, by the school's clock. */
export function schoolMinute(at: string | Date): string {
  const text = new Date(new Date(at).getTime() + zone_ms).toISOString()
  return `${Number(text.slice(5, 7))}月${Number(text.slice(8, 10))}日 ${text.slice(11, 16)}`
}

/** The day of an instant, by the school's clock. */
export function dayAt(at: string | Date): string {
  return new Date(new Date(at).getTime() + zone_ms).toISOString().slice(0, 10)
}

/** The instant of a clock time on a day of the school. */
export function instantAt(day: string, minutes: number): string {
  return new Date(Date.parse(`${day}T00:00:00+08:00`) + minutes * 60_000).toISOString()
}
