import { UserId } from '@campus/people/contract'
import { event } from '@kit/contract'
import { z } from 'zod'

const Visit = z.object({ apply_no: z.string(), subject_id: z.string(), receiver_user_id: UserId })

/** What becomes of a visit. */
export const visitEvents = {
  visitSubmitted: event('access.visit.submitted', Visit),
  visitApproved: event('access.visit.approved', Visit),
  visitRefused: event('access.visit.refused', Visit),
  visitCancelled: event('access.visit.cancelled', Visit),
  visitArrived: event('access.visit.arrived', Visit),
  visitOverdue: event('access.visit.overdue', Visit),
  visitLeft: event('access.visit.left', Visit),
  visitExpired: event('access.visit.expired', Visit),
  visitBlocked: event('access.visit.blocked', Visit),
}
