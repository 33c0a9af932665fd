import { z } from 'zod'

const longest_reason = 200

/** Why something is done to a device. */
export const Reason = z.string({ error: '请填写原因' }).trim().min(1, { error: '请填写原因' }).max(longest_reason, { error: `超过${longest_reason}个字` })
