import { Day } from '@kit/contract'
import { z } from 'zod'
import { UserId } from './student.ts'

/** Most people of one command. */
export const most_subjects = 500

const reason_msg = '请填写原因'
/** Why a command is given; `NeededReason` where it must be said. */
export const Reason = z.string().trim().max(200, { error: '超过200个字' })
export const NeededReason = Reason.min(1, { error: reason_msg })
/** Why a line of a receipt is closed by hand; it stands in the line itself. */
export const ClosingReason = z.string().trim().max(100, { error: '超过100个字' }).min(1, { error: reason_msg })
/** Where somebody goes. */
export const ToWhere = z.string().trim().max(100, { error: '超过100个字' })
export const EffectiveDay = { effective_on: Day }
/** A person of a command, with what the kind says of him besides. */
export const Named = z.strictObject({ user_id: UserId })

/** The people of one command, nobody twice. */
export function subjects<T extends z.core.$ZodType<{ user_id: string }>>(one: T) {
  return z.array(one).min(1).max(most_subjects).refine(named => new Set(named.map(person => person.user_id)).size === named.length, { error: '同一人员不能重复' })
}
