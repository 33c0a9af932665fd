import type { App } from '@kit/server/http'
import { NotReached } from '../carrier/carrier.ts'
import type { Carrier, Line, Parcel } from '../carrier/carrier.ts'
import { asMessages, databasePort } from '../db.ts'
import { changeDelivery, waiting } from './delivery.queries.ts'
import type { DueDelivery } from './delivery.queries.ts'
import { applyWaiting } from './receipt.queries.ts'
import { endDelivery } from './settle.ts'
import type { Desk } from './settle.ts'
import { wakeAt } from './wake.ts'

/** A delivery on its way out. */
export type Leaving = { delivery: DueDelivery; carrier: Carrier; line: Line; parcel: Parcel }
/** `reason`: why trying again would not help; null = it may. */
type Outcome = { delivery: DueDelivery; taken: { provider_id: string | null } } | { delivery: DueDelivery; taken: null; reason: number | null }

/** Minutes after which a refused delivery is tried again; then the next channel's turn has come. */
const waits_min = [1, 5]
/** MESSAGE_REASON 发送失败 */
const refused = 4
const minute_ms = 60_000

/** Gives parcels to their providers, outside any transaction, and writes down what became of them. */
export async function handOver(app: App, leaving: readonly Leaving[]): Promise<void> {
  const outcomes = await Promise.all(leaving.map(one => hand(app, one)))
  const school_id = leaving[0]?.delivery.school_id ?? 0
  await databasePort.one(app).tenant<unknown, void>(school_id, async handle => {
    const desk = { app, school_id, now: app.clock.now(), db: asMessages(handle) }
    const later = new Set<number>()
    for (const outcome of outcomes) await note(desk, outcome, later)
    for (const at of later) await wakeAt(desk, new Date(at))
  })
}

async function hand(app: App, { delivery, carrier, line, parcel }: Leaving): Promise<Outcome> {
  try {
    return { delivery, taken: await carrier.send(line, parcel) }
  } catch (error) {
    app.log.warn({ message_id: delivery.message_id, channel: delivery.channel, attempt: delivery.attempts, problem: error instanceof Error ? error.message : 'unknown' }, 'message not taken by its provider')
    return { delivery, taken: null, reason: error instanceof NotReached ? error.reason : null }
  }
}

async function note(desk: Desk, outcome: Outcome, later: Set<number>): Promise<void> {
  const { db, now } = desk
  const { delivery, taken } = outcome
  const { attempts } = delivery
  // What a provider has taken is submitted, also when it was withdrawn meanwhile.
  if (taken) {
    await changeDelivery(db, delivery, { attempts }, { state: 'submitted', reason: null, at: now, not_before: null, provider_id: taken.provider_id })
    if (taken.provider_id !== null) await applyWaiting(desk, delivery, taken.provider_id)
    return
  }
  const minutes = outcome.reason === null ? waits_min[attempts - 1] : undefined
  if (minutes === undefined) {
    await endDelivery(desk, delivery, { state: 'failed', reason: outcome.reason ?? refused, next: true })
    later.add(now.getTime())
    return
  }
  const not_before = new Date(now.getTime() + minutes * minute_ms)
  if (await changeDelivery(db, delivery, { attempts, states: waiting }, { state: 'queued', reason: refused, at: now, not_before, sent_at: null })) later.add(not_before.getTime())
}
