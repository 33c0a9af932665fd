const school_zone_ms = 8 * 3_600_000
const day_ms = 86_400_000

/** The next moment after `now` at which it is `at` (`HH:mm`) in Asia/Shanghai, which knows no summer time. */
export function nextTime(at: string, now: Date): Date {
  const local_day = Math.floor((now.getTime() + school_zone_ms) / day_ms) * day_ms
  const [hours = 0, minutes = 0] = at.split(':').map(Number)
  const today = local_day + (hours * 60 + minutes) * 60_000 - school_zone_ms
  return new Date(today > now.getTime() ? today : today + day_ms)
}

/** `20261121-023000`: the moment in Asia/Shanghai, sortable as text. */
export function stampOf(moment: Date): string {
  const [day = '', time = ''] = new Date(moment.getTime() + school_zone_ms).toISOString().slice(0, 19).split('T')
  return `${day.replaceAll('-', '')}-${time.replaceAll(':', '')}`
}
