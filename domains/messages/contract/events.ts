import { event, id } from '@kit/contract'
import { z } from 'zod'

const About = z.object({ source: z.string(), source_ref: z.string() })

/** What messages tell the others (chapter 90 §3). */
export const messagesEvents = {
  /** a message was written; its outside deliveries are planned from this */
  requested: event('message.requested', z.object({ message_id: id('messages.message') })),
  /** a delivery has reached its last state; `user_id` is null where the caller gave an address */
  settled: event('message.settled', About.extend({ user_id: id('identity.account').nullable(), channel: z.number().int(), state: z.string(), reason: z.number().int().nullable() })),
  read: event('message.read', About.extend({ user_id: id('identity.account') })),
}
