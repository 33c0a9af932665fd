import type { Inbound } from '@kit/terminal-protocol'
import { vf105Driver as driver } from '@kit/terminal-protocol/vf105'
import { brokerPort, outsidePort } from '@kit/server/mqtt'
import { z } from 'zod'
import { followArrivalOf } from '../adoption/adoption.run.ts'
import { hearVf105Reply } from '../control/command.sender.ts'
import { writeDeadLetter } from '../event/dead-letter.write.ts'
import { isLetIn } from '../event/decider.ts'
import { keepPassPictures } from '../event/pass-picture.ts'
import { storeHappenings, vf105_epoch as epoch } from '../event/vf105.store.ts'
import { countAgain, expectBacklog, noteTold } from '../backlog/backlog.run.ts'
import { followArrival } from '../firmware/run.ts'
import { dueWhole } from '../sync/due.ts'
import { forgetSent } from '../sync/rows.queries.ts'
import { pump } from '../sync/sender.ts'
import { tellOdd } from '../tell/tell-odd.ts'
import { settleRequest } from '../sync/vf105.sender.ts'
import { bringOnline } from './link.write.ts'
import { drainFrom } from './outage.ts'
import type { Session, Sessions } from './sessions.ts'

const second_ms = 1000
/** It has said another serial number than that of its line. */
const other_identity = 'identity'
const Timed = z.object({ time: z.number().min(0).max(4_102_444_800) })
const Arrival = z.object({ appVersion: z.string().max(40).optional().catch(undefined) })

/** What a VF105 says, in the order in which it says it (chapter 31 §5). Whatever it is, the session lives on. */
export async function hearVf105(sessions: Sessions, session: Session, topic: string, payload: Buffer): Promise<void> {
  const { prefix } = brokerPort.one(sessions.app)
  const inbound = driver.decode(topic, payload, { client_id: session.client_id, prefix })
  if (inbound.kind === 'bad') await sessions.inLine(session, async line => {
    await writeDeadLetter(line, { topic, reason: inbound.reason, detail: inbound.detail })
    if (inbound.reason === other_identity) await tellOdd(line, line.device_id, 'identity')
  })
  if (inbound.kind === 'link' && inbound.name === 'connect') await arrive(sessions, session, inbound.facts)
  // At an outside broker it may have come while nobody listened: whatever it says then, it is there.
  if (session.epoch === null && isAway(sessions) && inbound.kind !== 'bad') await arrive(sessions, session, {})
  if (session.epoch === null) return
  const now = sessions.app.clock.now()
  const is_beat = inbound.kind === 'link' && inbound.name === 'heartbeat'
  if (is_beat) hearClock(session, now, inbound.facts)
  sessions.seen(session, now)
  if (inbound.kind === 'reply' && !(await hearVf105Reply(sessions, session, inbound.reply))) await settleRequest(sessions, session, inbound.reply)
  if (inbound.kind === 'events') await store(sessions, session, inbound)
  const asked = inbound.kind === 'events' ? inbound.events.find(event => event.type === 'online') : undefined
  const is_allowed = asked !== undefined && (await sessions.inLine(session, line => isLetIn(line, asked))) === true
  // Only what is committed is acknowledged.
  answer(sessions, session, inbound, is_allowed)
  if (inbound.kind === 'reply' || (is_beat && countAgain(session, now))) void pump(sessions, session)
}

function isAway({ app }: Sessions): boolean {
  return outsidePort.all(app).length > 0
}

async function arrive(sessions: Sessions, session: Session, facts: Record<string, unknown>): Promise<void> {
  const { appVersion } = Arrival.catch({}).parse(facts)
  const [came, { time }] = [sessions.app.clock.now(), Timed.partial().catch({}).parse(facts)]
  const skew_ms = time === undefined ? 0 : Math.round(came.getTime() - time * second_ms)
  session.epoch = epoch
  session.held_until = drainFrom(sessions, came)
  session.config_due = 'arrival'
  if (time !== undefined) session.clock.arrive(skew_ms, { upto: new Date(time * second_ms) })
  expectBacklog(session, came, skew_ms)
  await sessions.inLine(session, async line => {
    const { db, school_id, device_id, now } = line
    if (!session.in_flight) await forgetSent(db, { school_id, device_id })
    const is_first = await bringOnline(line, { epoch, client_ip: session.address, app_version: appVersion })
    await followArrival(line)
    await followArrivalOf(line, session, is_first)
    await dueWhole({ db, school_id, now }, [device_id])
  })
  void pump(sessions, session)
}

/** It says what time it has; it is in step with its own time server, and never set from here (decision 0036). */
function hearClock({ clock }: Session, now: Date, facts: Record<string, unknown>): void {
  const said = Timed.safeParse(facts).data
  if (said) clock.beat(Math.round(now.getTime() - said.time * second_ms))
}

async function store(sessions: Sessions, session: Session, { events }: Extract<Inbound, { kind: 'events' }>): Promise<void> {
  const pass_pictures = await keepPassPictures(sessions, session, events)
  const stored = await sessions.inLine(session, line => storeHappenings(line, events, { ...session.clock.hearing(null), pass_pictures }))
  if (!stored) return
  if (noteTold(session, events.filter(event => event.type === 'pass').length, stored.passes.length)) void pump(sessions, session)
  sessions.reads.stored(session.school_id, [...stored.passes, ...stored.cards])
}

function answer(sessions: Sessions, session: Session, inbound: Inbound, is_allowed: boolean): void {
  const broker = brokerPort.one(sessions.app)
  const out = driver.acknowledge(inbound, { id: '', seq: 0, epoch, at: sessions.app.clock.now().toISOString(), prefix: broker.prefix, client_id: session.client_id }, is_allowed)
  if (out) sessions.send(session, out.topic, Buffer.from(out.bytes))
}
