import { passState } from '@kit/terminal-protocol'
import type { Happening, Inbound } from '@kit/terminal-protocol'
import { vf105Driver as driver } from '@kit/terminal-protocol/vf105'
import { brokerPort, outsidePort } from '@kit/server/mqtt'
import { z } from 'zod'
import { writeDeadLetter } from '../event/dead-letter.write.ts'
import { storeEvents } from '../event/store.ts'
import { readGrants, readTarget } from '../sync/facts.queries.ts'
import { dueWhole } from '../sync/due.ts'
import { forgetSent } from '../sync/rows.queries.ts'
import { pump } from '../sync/sender.ts'
import { settleRequest } from '../sync/vf105.sender.ts'
import { bringOnline } from './link.write.ts'
import type { Line } from './line.ts'
import { drainFrom } from './outage.ts'
import type { Session, Sessions } from './sessions.ts'

/** Its record numbers go on over a restart: they are of one epoch. */
const epoch = 'vf105'
const second_ms = 1000
/** How far a device's clock was behind when it came, in milliseconds. */
const skews = new WeakMap<Session, number>()
const Fire = z.object({ alarm: z.literal('fire'), value: z.literal(1) })
const Arrival = z.object({ appVersion: z.string().max(40).optional().catch(undefined), time: z.number().optional() })

/** What a VF105 says, in the order in which it says it (chapter 31 §5). Whatever it is, the session lives on. */
export async function hearVf105(sessions: Sessions, session: Session, topic: string, payload: Buffer): Promise<void> {
  const { prefix } = brokerPort.one(sessions.app)
  const inbound = driver.decode(topic, payload, { client_id: session.client_id, prefix })
  if (inbound.kind === 'bad') await sessions.inLine(session, line => writeDeadLetter(line, { topic, reason: inbound.reason, detail: inbound.detail }))
  if (inbound.kind === 'link' && inbound.name === 'connect') await arrive(sessions, session, inbound.facts)
  // At an outside broker it may have come while nobody listened: whatever it says then, it is there.
  if (session.epoch === null && isAway(sessions) && inbound.kind !== 'bad') await arrive(sessions, session, {})
  if (session.epoch === null) return
  const now = sessions.app.clock.now()
  sessions.seen(session, now, skews.get(session) ?? null)
  if (inbound.kind === 'reply') await settleRequest(sessions, session, inbound.reply)
  if (inbound.kind === 'events') await store(sessions, session, inbound)
  // Only what is committed is acknowledged.
  answer(sessions, session, inbound)
  if (inbound.kind === 'reply') void pump(sessions, session)
}

function isAway({ app }: Sessions): boolean {
  return outsidePort.all(app).length > 0
}

async function arrive(sessions: Sessions, session: Session, facts: Record<string, unknown>): Promise<void> {
  const { appVersion, time } = Arrival.catch({}).parse(facts)
  session.epoch = epoch
  session.held_until = drainFrom(sessions, sessions.app.clock.now())
  if (time !== undefined) skews.set(session, Math.round(sessions.app.clock.now().getTime() - time * second_ms))
  await sessions.inLine(session, async line => {
    const { db, school_id, device_id, now } = line
    if (!session.in_flight) await forgetSent(db, { school_id, device_id })
    await bringOnline(line, { epoch, client_ip: session.address, app_version: appVersion })
    await dueWhole({ db, school_id, now }, [device_id])
  })
  void pump(sessions, session)
}

async function store(sessions: Sessions, session: Session, { events }: Extract<Inbound, { kind: 'events' }>): Promise<void> {
  const stored = await sessions.inLine(session, async line => {
    const passes = await Promise.all(events.filter(one => one.type === 'pass').map(event => passItem(line, event)))
    const items = [...passes, ...events.filter(one => one.type === 'alarm').flatMap(fireItem)]
    return items.length === 0 ? undefined : storeEvents(line, { epoch, items, skew_ms: skews.get(session) ?? 0 })
  })
  if (stored) sessions.reads.stored(session.school_id, [...stored.passes, ...stored.cards])
}

/** A fire; the device has no number for it, so its second is one. Its door's contact is not followed. */
function fireItem({ at, facts }: Happening) {
  return Fire.safeParse(facts).success ? [{ seq: Math.floor(Date.parse(at) / second_ms), type: 'alarm', at, kind: 'fire', value: 1 }] : []
}

/** A pass as our own terminals say it; why somebody was refused depends on what he is granted here. */
async function passItem(line: Line, { seq, at, pass }: Happening) {
  const { user_id, verify = 0, code_masked, reason = '', score } = pass ?? {}
  const known = { is_lost: false, has_grant: user_id !== undefined && (await hasGrant(line, user_id)) }
  return { seq: Number(seq), type: 'pass', at, verify, result: pass ? passState(pass, known) : 0, reason, ...(user_id === undefined ? {} : { user_id }), ...(code_masked === undefined ? {} : { code_masked }), ...(score === undefined ? {} : { score }) }
}

async function hasGrant({ db, school_id, device_id, now }: Line, user_id: string): Promise<boolean> {
  const target = /^[0-9]{1,18}$/u.test(user_id) ? await readTarget(db, school_id, device_id, now) : undefined
  return target !== undefined && (await readGrants(db, target, now, [user_id])).length > 0
}

function answer(sessions: Sessions, session: Session, inbound: Inbound): void {
  const broker = brokerPort.one(sessions.app)
  const out = driver.acknowledge(inbound, { id: '', seq: 0, epoch, at: sessions.app.clock.now().toISOString(), prefix: broker.prefix, client_id: session.client_id })
  if (out) broker.send(session.client_id, out.topic, Buffer.from(out.bytes))
}
