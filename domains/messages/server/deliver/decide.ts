import type { DeliveryState } from '@campus/messages/contract'
import { nextTime, schoolMinute } from '../school-time.ts'

/** What is known about one outside delivery when its turn has come. `missing`: why there is no address (MESSAGE_REASON); `attempts`: how often it has left already. */
export type Facts = {
  now: Date
  level: number
  expire_at: Date | null
  is_withdrawn: boolean
  missing: number | null
  attempts: number
  sent: { channel: number; person: number }
  setting: { enabled: boolean; quiet_from: string; quiet_to: string; day_limit: number; person_day_limit: number }
}

/** Send it, wait, or end it; `next`: another channel is tried instead. */
export type Decision = { act: 'send' } | { act: 'wait'; until: Date } | { act: 'end'; state: DeliveryState; reason: number | null; next: boolean }

/** MESSAGE_REASON */
const [refused, switched_off, over_limit, taken_back] = [4, 5, 6, 7]
const most_attempts = 3
/** The level that passes quiet hours and limits. */
export const urgent = 3

/** What becomes of one outside delivery (chapter 10 M2, M3, M5). */
export function decide({ now, level, expire_at, is_withdrawn, missing, attempts, sent, setting }: Facts): Decision {
  if (is_withdrawn) return { act: 'end', state: 'withdrawn', reason: taken_back, next: false }
  if (expire_at !== null && expire_at.getTime() <= now.getTime()) return { act: 'end', state: 'expired', reason: null, next: false }
  if (!setting.enabled) return { act: 'end', state: 'skipped', reason: switched_off, next: true }
  if (missing !== null) return { act: 'end', state: 'skipped', reason: missing, next: missing !== switched_off }
  // The process that sent it the last time has told nobody how that ended.
  if (attempts >= most_attempts) return { act: 'end', state: 'failed', reason: refused, next: true }
  if (level >= urgent) return { act: 'send' }
  if (isQuiet(schoolMinute(now).slice(11), setting)) return { act: 'wait', until: nextTime(now, setting.quiet_to) }
  if (sent.person >= setting.person_day_limit || sent.channel >= setting.day_limit) return { act: 'end', state: 'skipped', reason: over_limit, next: false }
  return { act: 'send' }
}

function isQuiet(time: string, { quiet_from, quiet_to }: Facts['setting']): boolean {
  if (quiet_from <= quiet_to) return time >= quiet_from && time < quiet_to
  return time >= quiet_from || time < quiet_to
}
