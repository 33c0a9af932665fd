import { createHash } from 'node:crypto'
import type { PersonDay } from '../judge/types.ts'
import { inWindow, minute_ms, outWindow } from '../judge/window.ts'
import type { Assembled } from './assemble.ts'
import { dayEnd } from './group.ts'

/** Raised when the judge changes what it makes of the same facts: every unit is judged again. */
export const engine_version = 3

/** Instants at which the verdict of the same facts may turn: a lesson begins, a window ends, a missing pupil is an alert. */
function turnsOf({ expectations, exempt_unverified_after }: PersonDay): number[] {
  return expectations.flatMap(one => {
    if (one.rule === null) return [one.begin]
    const { body } = one.rule
    const end = inWindow(one, body).end
    return [
      one.begin, end, outWindow(one, body).end, one.begin + body.alert_missing_min * minute_ms,
      ...(exempt_unverified_after === null ? [] : [end + exempt_unverified_after])
    ]
  })
}

/**
 * A digest of everything that is judged (chapter 55 §3.15): the same facts at the same stage of the day give the same text. Later uploads
 * of a device
 * that has handed over the whole day change nothing. @returns the digest, and when the verdicts may turn next
 */
export function digestOf(date: string, days: readonly Assembled[], as_of: number): { hash: string; next: number | null } {
  const turns = [...new Set(days.flatMap(one => turnsOf(one.day)))].toSorted((a, b) => a - b)
  const end = dayEnd(date).getTime()
  const hash = createHash('sha256').update(`${engine_version} ${turns.filter(at => at <= as_of).length}`)
  for (const { user_id, day, expected } of days) {
    const { as_of: _moment, ...facts } = day
    const told = expected.map(({ user_id: _user, title: _title, ...one }) => one)
    hash.update(JSON.stringify(
      [user_id, told, facts], (key, value: unknown) => (key === 'drained_to' && typeof value === 'number' ? Math.min(value, end) : value)
    ))
  }
  return { hash: hash.digest('hex'), next: turns.find(at => at > as_of) ?? null }
}
