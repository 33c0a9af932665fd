import type { DeviceRuleBody } from '@campus/devices/contract'
import { minuteOf } from '@kit/terminal-protocol'
import type { RuleFact } from './compile.ts'

const [day_minutes, week_minutes] = [1440, 10_080] as const

/**
 * Do two rules of one kind and priority say something of the same minute? Judged by weekday: holidays only take times away and a make-up day borrows a
 * weekday, on which both would meet as well (chapter 30 rule 18).
 */
export function overlaps(a: Pick<RuleFact, 'valid_from' | 'valid_to' | 'body'>, b: Pick<RuleFact, 'valid_from' | 'valid_to' | 'body'>): boolean {
  if ((a.valid_to !== null && a.valid_to < b.valid_from) || (b.valid_to !== null && b.valid_to < a.valid_from)) return false
  const theirs = minutesOf(b.body)
  return minutesOf(a.body).some(([from, to]) => theirs.some(([begin, end]) => from < end && begin < to))
}

/** The minutes of the week that a rule speaks of; what runs over its end is at its beginning. */
function minutesOf({ windows }: DeviceRuleBody): [number, number][] {
  return windows.flatMap(({ weekdays, begin, end }) =>
    weekdays.flatMap((is_on, day): [number, number][] => {
      if (!is_on) return []
      const from = day * day_minutes + minuteOf(begin)
      const to = day * day_minutes + minuteOf(end) + (minuteOf(end) > minuteOf(begin) ? 0 : day_minutes)
      return to <= week_minutes ? [[from, to]] : [[from, week_minutes], [0, to - week_minutes]]
    }),
  )
}
