import { messagesEvents } from '@campus/messages/contract'
import type { DeliveryState } from '@campus/messages/contract'
import { publish } from '@kit/server/event'
import type { App } from '@kit/server/http'
import type { MessagesHandle } from '../db.ts'
import { readTemplate } from '../template.queries.ts'
import { declaredTemplate } from '../template-port.ts'
import { addDelivery, changeDelivery, waiting } from './delivery.queries.ts'
import type { DueDelivery } from './delivery.queries.ts'
import { wakeAt } from './wake.ts'

/** What tells one delivery from the others, and whom it concerns. */
export type Submitted = Pick<DueDelivery, 'school_id' | 'message_id' | 'month' | 'channel' | 'to_key' | 'attempts' | 'source' | 'source_ref' | 'template_code'>
type End = { state: DeliveryState; reason: number | null; next: boolean }
export type Desk = { app: App; db: MessagesHandle; school_id: number; now: Date }

/**
 * Writes the last state of a delivery and tells its source. With `next` the template's next channel is queued. Only what went out or was
 * recorded counts for the limits of the day.
 */
export async function endDelivery(desk: Desk, delivery: DueDelivery, end: End): Promise<void> {
  const { db, now } = desk
  const { attempts } = delivery
  const { state, reason } = end
  const ended = await changeDelivery(db, delivery, { attempts, states: waiting }, { state, reason, at: now, not_before: null, sent_at: state === 'logged' ? now : null })
  if (ended) await tell(desk, delivery, end)
}

/** Writes down what a provider tells of a delivery it has taken; true when it was news. What went out stays counted. */
export async function endSubmitted(desk: Desk, delivery: Submitted, reason: number | null): Promise<boolean> {
  const end: End = reason === null ? { state: 'delivered', reason, next: false } : { state: 'failed', reason, next: true }
  const ended = await changeDelivery(desk.db, delivery, { attempts: delivery.attempts, states: ['submitted'] }, { state: end.state, reason, at: desk.now })
  if (!ended) return false
  await tell(desk, delivery, end)
  if (end.next) await wakeAt(desk, desk.now)
  return true
}

async function tell(desk: Desk, delivery: Submitted, { state, reason, next }: End): Promise<void> {
  const { source, source_ref, channel, to_key } = delivery
  const user_id = to_key.startsWith('#') ? null : to_key
  await publish(desk, messagesEvents.settled, { source, source_ref, user_id, channel, state, reason })
  if (next && user_id !== null) await tryNext(desk, delivery)
}

/** Queues the channel behind this one in the template; with all channels every one of them stands there already. */
async function tryNext({ app, db, school_id, now }: Desk, { message_id, month, channel, to_key, template_code }: Submitted): Promise<void> {
  const declared = declaredTemplate(app, template_code)
  const template = declared && (await readTemplate(db, school_id, declared))
  const following = template && !template.all_channels ? template.channels[template.channels.indexOf(channel) + 1] : undefined
  if (following !== undefined) await addDelivery(db, { school_id, message_id, month, channel: following, to_key, state: 'queued', not_before: now, at: now })
}
