import { decodeUp, upKindOf } from '@kit/terminal-protocol'
import type { JdevUp, StateUp } from '@kit/terminal-protocol'
import { brokerPort } from '@kit/server/mqtt'
import { bringSecret, hearSecret } from '../adoption/secret.run.ts'
import { boardText, followBoard, told_every_ms } from '../board/state.write.ts'
import { followLicences } from '../ai/licence.ts'
import { askPictures, lookAtPictures, wantedPictures } from '../ai/picture.ts'
import { followArrival } from '../firmware/run.ts'
import { hearReply } from '../control/command.sender.ts'
import { followDoor } from '../event/alarm.write.ts'
import { writeDeadLetter } from '../event/dead-letter.write.ts'
import { storeEvents } from '../event/store.ts'
import { forgetSent, startOver } from '../sync/rows.queries.ts'
import { dueWhole } from '../sync/due.ts'
import { tellGone } from '../sync/ready.ts'
import { pump, say, settle } from '../sync/sender.ts'
import { hearVf105 } from './hear-vf105.ts'
import { followChildren } from './children.ts'
import { tellWiped } from '../tell/tell-data.ts'
import { bringOnline } from './link.write.ts'
import { drainedTo, followDrain, tellDrained } from './drain.ts'
import { metricOf } from './metrics.ts'
import { drainFrom } from './outage.ts'
import type { Session, Sessions } from './sessions.ts'
import { setClock } from './set-clock.ts'

const heartbeat_s = 30
const resume_ms = 600_000

/** What a device says, in the order in which it says it. Whatever it is, the session lives on. */
export async function hearDevice(sessions: Sessions, session: Session, topic: string, payload: Buffer): Promise<void> {
  if (!session.device) return
  sessions.heard(session, 'up', topic, payload)
  if (session.device.driver === 'vf105') return hearVf105(sessions, session, topic, payload)
  const kind = upKindOf(brokerPort.one(sessions.app).prefix, session.client_id, topic)
  if (kind === 'bye') return
  const read = decodeUp(payload)
  if ('bad' in read || kind === undefined) {
    const { reason, detail } = 'bad' in read ? read.bad : { reason: 'topic', detail: '' }
    await sessions.inLine(session, line => writeDeadLetter(line, { topic, reason, detail }))
    if ('bad' in read && (reason === 'unsupported' || reason === 'version')) say(sessions, session, 'ack', { type: 'reply', body: { code: reason }, ...(read.bad.re === undefined ? {} : { re: read.bad.re }) })
    return
  }
  await follow(sessions, session, read.message)
}

async function follow(sessions: Sessions, session: Session, message: JdevUp): Promise<void> {
  const now = sessions.app.clock.now()
  const skew_ms = Math.round(now.getTime() - Date.parse(message.ts))
  if (message.type === 'hello') return hello(sessions, session, message, skew_ms)
  // Whoever has not said who he is says nothing else; after a break of the broker he may not know that we do not know him any more.
  if (session.epoch === null) await resume(sessions, session, message.epoch)
  if (session.epoch === null) return say(sessions, session, 'ack', { type: 'reply', body: { code: 'hello' }, re: message.id })
  const drained_to = message.type === 'state' ? drainedTo(message.body, new Date(message.ts), now) : null
  if (message.type === 'state') session.clock.beat(skew_ms)
  sessions.seen(session, now, drained_to)
  if (message.type === 'reply') return (await hearSecret(sessions, session, message.re, message.body)) || (await hearReply(sessions, session, message.re, message.body)) ? undefined : settle(sessions, session, message.re, message.body)
  if (message.type === 'state') return hearState(sessions, session, message, { now, skew_ms, drained_to })
  const { items } = message.body
  const pictures = await lookAtPictures(sessions, session, items)
  const by_clock = session.clock.hearing(skew_ms, Math.min(...items.map(item => item.seq)))
  const stored = await sessions.inLine(session, line => storeEvents(line, { epoch: message.epoch, ...message.body, ...by_clock, pictures }))
  const uploads = await askPictures(sessions, session, stored?.wanted ?? [])
  // Only what is committed is acknowledged.
  say(sessions, session, 'ack', { type: 'ack', body: { epoch: message.epoch, upto: Math.max(...items.map(item => item.seq)), ...(uploads.length > 0 ? { uploads } : {}) }, re: message.id })
  if (stored) sessions.reads.stored(session.school_id, [...stored.passes, ...stored.cards])
}

/** How a device is: kept with others a little later; what it says of its door is followed when it has turned. */
async function hearState(sessions: Sessions, session: Session, { epoch, body }: { epoch: string; body: StateUp }, { now, skew_ms, drained_to }: { now: Date; skew_ms: number; drained_to: Date | null }): Promise<void> {
  const { school_id, device } = session
  await followDrain(sessions, session, body, drained_to)
  await hearChildren(sessions, session, { epoch, children: body.children })
  if (await hearLicences(sessions, session, body.algorithms)) void pump(sessions, session)
  if (device) sessions.measured(metricOf({ school_id, device_id: device.device_id }, body, now, skew_ms))
  const { door, board } = body
  if (board && (session.board?.text !== boardText(board) || now.getTime() - session.board.at.getTime() >= told_every_ms)) {
    await sessions.inLine(session, line => followBoard(line, board))
    session.board = { text: boardText(board), at: now }
  }
  await setClock(sessions, session)
  if (!door || JSON.stringify(door) === session.door) return
  await sessions.inLine(session, line => followDoor(line, door, { epoch, now, skew_ms }))
  session.door = JSON.stringify(door)
}

/** What it says of the devices below it, when that has turned. */
async function hearChildren(sessions: Sessions, session: Session, { epoch, children }: { epoch: string; children: StateUp['children'] }): Promise<void> {
  const told = JSON.stringify(children ?? [])
  if (!children || told === session.children) return
  await sessions.inLine(session, line => followChildren(line, children, { epoch, client_ip: session.address }))
  session.children = told
}

/** What it says that it may recognise, when that has turned. @returns whether rules that it refused are due again */
async function hearLicences(sessions: Sessions, session: Session, algorithms: StateUp['algorithms']): Promise<boolean> {
  const told = JSON.stringify(algorithms ?? [])
  if (!algorithms || told === session.algorithms) return false
  const is_due = await sessions.inLine(session, line => followLicences(line, algorithms))
  session.algorithms = told
  return is_due === true
}

/** It hears now what is said to it. */
export async function listen(sessions: Sessions, session: Session): Promise<void> {
  // A VF105 subscribes to thirteen filters at once.
  if (session.is_listening) return
  session.is_listening = true
  await resume(sessions, session)
  if (session.epoch !== null) void pump(sessions, session)
}

/**
 * A device that said hello a moment ago and comes again within its power-up (`epoch`, where it has said so) goes on where it was, with its settings read or asked for then; whoever comes later says hello first. One that
 * only publishes goes on as well, and is sent nothing.
 */
async function resume(sessions: Sessions, session: Session, epoch?: string): Promise<void> {
  // Of a line that has ended meanwhile what was said on it still counts.
  const is_here = sessions.of(session.client_id) === session
  if (session.epoch !== null || (!is_here && epoch === undefined)) return
  await sessions.inLine(session, async line => {
    const { db, school_id, device_id, now } = line
    const before = await db.selectFrom('device').select(['epoch', 'store_id', 'last_seen_at']).where('school_id', '=', school_id).where('device_id', '=', device_id).executeTakeFirst()
    if (!before || before.epoch === null || (epoch !== undefined && epoch !== before.epoch) || before.last_seen_at === null || now.getTime() - before.last_seen_at.getTime() > resume_ms) return
    session.epoch = before.epoch
    if (!is_here) return
    await forgetSent(db, { school_id, device_id })
    await bringOnline(line, { epoch: before.epoch, client_ip: session.address })
  })
}

async function hello(sessions: Sessions, session: Session, { id, epoch, ts, body }: Extract<JdevUp, { type: 'hello' }>, skew_ms: number): Promise<void> {
  if (body.sn !== session.client_id) return
  const is_first = session.epoch === null
  const drained_to = drainedTo(body, new Date(ts), sessions.app.clock.now())
  session.is_drained = drained_to !== null
  session.epoch = epoch
  session.config_due = 'arrival'
  const wanted = await sessions.inLine(session, async line => {
    const { db, school_id, device_id, now } = line
    const before = await db.selectFrom('device').select(['store_id']).where('school_id', '=', school_id).where('device_id', '=', device_id).executeTakeFirst()
    if (is_first) await forgetSent(db, { school_id, device_id })
    if (before && before.store_id !== null && before.store_id !== body.store_id) {
      await tellGone(line, await startOver(db, { school_id, device_id }, now))
      await tellWiped(line, device_id, body.store_id)
    }
    await bringOnline(line, { epoch, client_ip: session.address, firmware_version: body.firmware, app_version: body.app_version, store_id: body.store_id, drained_to: drained_to ?? undefined })
    if (drained_to) await tellDrained(line, drained_to)
    await followArrival(line)
    await dueWhole({ db, school_id, now }, [device_id])
    return wantedPictures(line)
  })
  await hearChildren(sessions, session, { epoch, children: body.children })
  await hearLicences(sessions, session, body.algorithms)
  session.clock.arrive(skew_ms, { waiting: body.counts?.records_waiting ?? 0 })
  sessions.seen(session, sessions.app.clock.now(), drained_to)
  session.held_until = drainFrom(sessions, sessions.app.clock.now())
  const uploads = await askPictures(sessions, session, wanted ?? [])
  say(sessions, session, 'hello', { type: 'hello', body: { server_time: sessions.app.clock.now().toISOString(), heartbeat_sec: heartbeat_s, resume: !is_first, ...(uploads.length > 0 ? { uploads } : {}) }, re: id })
  await bringSecret(sessions, session)
  void pump(sessions, session)
}
