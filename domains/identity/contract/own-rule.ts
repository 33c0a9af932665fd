import { Instant } from '@kit/contract'
import { z } from 'zod'

/** A whole number between two bounds, both included; outside of them the sentence that names them. */
export function whole(min: number, max: number) {
  const error = `请输入${min}-${max}之间的整数`
  return z.number({ error }).int(error).min(min, error).max(max, error)
}

const days_error = '请输入0或30-365之间的整数'
/** Paragraphs of the notice; nothing but blanks is null. */
const Notice = z.string().trim().max(500, '超过500个字').regex(/^(?:[^\p{Cc}\p{Cs}]|\n)*$/u, '不能包含特殊字符').transform(text => text || null).nullable()

/** What of a school's password rule binds a signed-in person besides its length, and the notice he is shown. How first passwords are made up is not his to know. */
export const OwnRule = z.object({
  /** 0 = a password does not age */
  valid_days: z.number({ error: days_error }).int(days_error).refine(days => days === 0 || (days >= 30 && days <= 365), days_error),
  history_count: whole(0, 10),
  lock_times: whole(3, 10),
  idle_minutes: whole(10, 480),
  /** until when people are told of the rule when they enter */
  notice_until: Instant,
  notice_text: Notice,
})
