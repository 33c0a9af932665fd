import type { DueTimer, TimerKind } from '@kit/server/event'
import { carrierOf, mayLeave } from '../carrier/carrier.ts'
import type { Carrier, Line } from '../carrier/carrier.ts'
import { lineOf } from '../carrier/line.ts'
import { readChannels, settingOf } from '../channel.queries.ts'
import type { ChannelSetting } from '../channel.queries.ts'
import { asMessages } from '../db.ts'
import type { MessagesHandle } from '../db.ts'
import { startOfDay } from '../school-time.ts'
import { providerTemplates } from '../template.queries.ts'
import { findPlaces } from './addresses.ts'
import type { Place } from './addresses.ts'
import { decide, urgent } from './decide.ts'
import { changeDelivery, countSent, dueDeliveries, holdDeliveries, waiting } from './delivery.queries.ts'
import type { DueDelivery } from './delivery.queries.ts'
import { handOver } from './hand-over.ts'
import type { Leaving } from './hand-over.ts'
import { endDelivery } from './settle.ts'
import { deliver_timer, wakeAt } from './wake.ts'

const portion = 50
/** A process that dies while it sends leaves its deliveries to others after this time. */
const lease_ms = 5 * 60_000

type Desk = Omit<DueTimer, 'ref'> & { db: MessagesHandle }
/** One due delivery with all that decides about it; `carrier` null = messages are only recorded. */
type Case = { delivery: DueDelivery; setting: ChannelSetting; carrier: Carrier | null; line: Line; place: Place; template: string | null }

/** Looks at the deliveries of a school that are due: ends, puts off or sends them. Nothing is sent inside a transaction. */
export const deliverDue: TimerKind = {
  kind: deliver_timer,
  async run(handle, { app, school_id, now }) {
    const desk = { app, school_id, now, db: asMessages(handle) }
    await holdDeliveries(desk.db, school_id)
    const due = await dueDeliveries(desk.db, school_id, now, portion)
    const later = new Set(due.length === portion ? [now.getTime()] : [])
    const leaving = due.length === 0 ? [] : await sortOut(desk, await casesOf(desk, due), later)
    if (leaving.length > 0) later.add(now.getTime() + lease_ms)
    for (const at of later) await wakeAt(desk, new Date(at))
    if (leaving.length > 0) return () => handOver(app, leaving)
  },
}

async function casesOf({ app, db, school_id }: Desk, due: readonly DueDelivery[]): Promise<Case[]> {
  const channels = await readChannels(db, school_id)
  const placeOf = await findPlaces(app, db, school_id, due, channels)
  const templates = await providerTemplates(db, school_id)
  return due.map(delivery => {
    const setting = settingOf(channels, delivery.channel)
    const line = lineOf(app, school_id, delivery.channel, setting)
    return { delivery, setting, line, carrier: carrierOf(app, setting.adapter, line), place: placeOf(delivery), template: templates.get(delivery.template_code) ?? null }
  })
}

/** Decides about each case and writes it down; answers those that leave now. `later` takes the moments at which to look again. */
async function sortOut(desk: Desk, cases: readonly Case[], later: Set<number>): Promise<Leaving[]> {
  const { db, school_id, now } = desk
  const sent = await countSent(db, school_id, startOfDay(now), cases.map(({ delivery }) => delivery.to_key))
  const leaving: Leaving[] = []
  for (const one of cases) {
    const { delivery, setting } = one
    const { channel, to_key, level, expire_at, withdrawn_at } = delivery
    const counts = { channel: sent.channels.get(channel) ?? 0, person: sent.people.get(to_key) ?? 0 }
    const decision = decide({ now, level, expire_at, is_withdrawn: withdrawn_at !== null, missing: missingOf(one), attempts: delivery.attempts, sent: counts, setting })
    if (decision.act === 'end') {
      await endDelivery(desk, delivery, decision)
      if (decision.next) later.add(now.getTime())
    } else if (decision.act === 'wait') {
      await changeDelivery(db, delivery, { attempts: delivery.attempts, states: waiting }, { state: 'deferred', not_before: decision.until, at: now })
      later.add(decision.until.getTime())
    } else {
      if (level < urgent) {
        sent.channels.set(channel, counts.channel + 1)
        sent.people.set(to_key, counts.person + 1)
      }
      leaving.push(...(await letGo(desk, one)))
    }
  }
  return leaving
}

/** Only recorded is the end of it; else the delivery is this process's own until its lease runs out. */
async function letGo(desk: Desk, { delivery, carrier, line, place, template }: Case): Promise<Leaving[]> {
  const { now, db } = desk
  if (!carrier || 'missing' in place || !mayLeave(desk.app, place.address)) {
    await endDelivery(desk, delivery, { state: 'logged', reason: null, next: false })
    desk.app.log.info({ message_id: delivery.message_id, channel: delivery.channel, template: delivery.template_code }, 'message recorded, not sent')
    return []
  }
  const attempts = delivery.attempts + 1
  const not_before = new Date(now.getTime() + lease_ms)
  const is_ours = await changeDelivery(db, delivery, { attempts: delivery.attempts, states: waiting }, { state: 'queued', reason: null, attempts, not_before, sent_at: now, at: now })
  const { message_id, title, body, link } = delivery
  return is_ours ? [{ delivery: { ...delivery, attempts }, carrier, line, parcel: { message_id, title, body, link, address: place.address, template } }] : []
}

/** What is only recorded needs no account of 微信 or App, which nobody could have yet. */
function missingOf({ place, carrier, delivery }: Case): number | null {
  if (!('missing' in place)) return null
  const is_recordable = carrier === null && (delivery.channel === 2 || delivery.channel === 5)
  return is_recordable && place.missing === 2 ? null : place.missing
}
