import { minute_ms, zone_ms } from '../judge/window.ts'

const day_min = 1440

/**
 * The first moment from `at` on at which families may be written to: quiet hours from `from` to `to` (`22:00`, `06:30` the next morning)
 * are waited for. Equal ends: there are none.
 */
export function afterQuiet(at: Date, from: string, to: string): Date {
  const minute = Math.floor((at.getTime() + zone_ms) / minute_ms) % day_min
  const [begin, end] = [minuteOf(from), minuteOf(to)]
  const length = (end - begin + day_min) % day_min
  const since = (minute - begin + day_min) % day_min
  if (since >= length) return at
  return new Date(Math.floor(at.getTime() / minute_ms) * minute_ms + (length - since) * minute_ms)
}

function minuteOf(clock: string): number {
  const [hour = 0, minute = 0] = clock.split(':').map(Number)
  return hour * 60 + minute
}
