import type { Reply } from '@kit/terminal-protocol'
import { codes, vf105Driver as driver } from '@kit/terminal-protocol/vf105'
import { brokerPort } from '@kit/server/mqtt'
import { nextAdoption, takeAdoption } from '../adoption/adoption.run.ts'
import { nextRecords, takeRecords } from '../backlog/backlog.run.ts'
import { followSense } from '../event/alarm.write.ts'
import { depart, land, notePace } from '../link/flight.ts'
import type { Line } from '../link/line.ts'
import type { Session, Sessions } from '../link/sessions.ts'
import { nextPage, settlePage } from '../proof/proof.run.ts'
import { dueConfigRead, noteSettings, takeConfig } from '../config/report.ts'
import { nextPackage, settleUpgrade } from '../firmware/run.ts'
import { nextProbeOf, takeProbe } from '../probe/probe.run.ts'
import { photoCounterPort } from '../photo/counter.ts'
import { noteDoorHeld } from '../rule/told.write.ts'
import { tellGone } from './ready.ts'
import type { Ready } from './ready.ts'
import { bookOf } from './row-book.ts'
import { urgentIsDue } from './rows.queries.ts'
import { isAwaited, Memory, nextOfRows, planFace, put, settleBlocked, takeReply } from './vf105.talk.ts'
import type { Next, Whole } from './vf105.talk.ts'

const memories = new WeakMap<Session, Memory>()

/** Sends what is next at a device of this driver: first what is unknown is read, one row a command, then what is due, as the driver plans it. */
export async function sendRequest(sessions: Sessions, session: Session, more: { began_ms: number; timed_out: (id: string) => Promise<void> }): Promise<void> {
  const memory = memoryOf(session)
  const next = await sessions.inLine(session, async line => askState(session) ?? (await askRecords(line, session)) ?? (await nextOfRows(memory, bookOf(line), async () => askConfig(session) ?? (await askAdoption(line, session)) ?? (await askProbe(line, session)))) ?? (await askUpgrade(line)) ?? (await readPage(line, session)))
  const whole = next && 'face' in next ? await withPhoto(sessions, session, next) : next
  // What has no photograph is noted; the next one goes.
  if (!whole) return next ? sendRequest(sessions, session, more) : undefined
  const { request, rows, reads } = whole
  const broker = brokerPort.one(sessions.app)
  session.down_seq += 1
  const { id, topic, bytes, patience_ms } = put(memory, request, { seq: session.down_seq, epoch: session.epoch ?? '', at: sessions.app.clock.now().toISOString(), prefix: broker.prefix, client_id: session.client_id })
  depart(sessions, session, { id, rows, reads, began_ms: more.began_ms, patience_ms }, more.timed_out)
  sessions.send(session, topic, Buffer.from(bytes))
}

/** A device has answered; what comes late still settles rows of that version. Whoever calls sends what is next. */
export async function settleRequest(sessions: Sessions, session: Session, reply: Reply): Promise<void> {
  const waiting = session.in_flight
  const memory = memoryOf(session)
  const request = memory.request(reply.re)
  if (!request) return
  const awaited = isAwaited(waiting, reply) ? waiting : null
  if (awaited) land(sessions, session)
  if (awaited?.reads === 'records') return takeRecords(sessions, session, reply)
  await sessions.inLine(session, async line => {
    if (awaited?.reads === 'config') return hearConfig(line, session, driver.configOf(reply))
    if (awaited?.reads === 'adoption') return takeAdoption(line, session, reply)
    if (awaited?.reads === 'probe') return takeProbe(line, session, reply)
    if (awaited?.reads === 'upgrade') return settleUpgrade(line, { is_ok: reply.code === codes.ok, text: reply.message })
    if (awaited?.reads === 'proof') return settlePage(line, session, reply)
    const rows = await takeReply(memory, bookOf(line), { request, asked: awaited?.rows ?? [] }, reply)
    await noteDoorHeld(line.db, line, line.now)
    if (awaited?.reads === null) noteSettings(session, awaited)
    await tellGone(line, rows)
  })
  if (awaited) notePace(sessions, session, awaited)
}

/** Its settings, among them whether it has a fire: the alarm itself is lost where nobody hears it (chapter 31 §5.7.10). */
async function hearConfig(line: Line, session: Session, config: ReturnType<typeof driver.configOf>): Promise<void> {
  const fire = config?.['access.fireStatus']
  if (fire !== undefined) await followSense(line, 'fire', fire === 1, { epoch: session.epoch ?? '', now: line.now, skew_ms: 0 })
  await takeConfig(line, session, config)
}

async function askRecords(line: Line, session: Session): Promise<Whole | null> {
  const request = await nextRecords(line, session)
  return request && { request, rows: [], reads: 'records' }
}

async function readPage(line: Line, session: Session): Promise<Whole | null> {
  const request = await nextPage(line, session)
  return request && { request, rows: [], reads: 'proof' }
}

async function askUpgrade(line: Line): Promise<Whole | null> {
  const found = await nextPackage(line)
  return found && { request: driver.upgrade(found), rows: [], reads: 'upgrade' }
}

async function askAdoption(line: Line, session: Session): Promise<Whole | null> {
  const request = await nextAdoption(line, session)
  return request && { request, rows: [], reads: 'adoption' }
}

/** Who has just come is asked how it is before anything else: a fire that began while nobody listened is known from that alone (31-A11). */
function askState(session: Session): Whole | null {
  return session.config_due === 'arrival' ? askConfig(session) : null
}

function askConfig(session: Session): Whole | null {
  const request = dueConfigRead(session, driver)
  return request && { request, rows: [], reads: 'config' }
}

/** A probe goes on between what waits for nobody's turn. */
async function askProbe({ db, school_id, device_id, now }: Line, session: Session): Promise<Whole | null> {
  if (!session.probe || (await urgentIsDue(db, { school_id, device_id }, now))) return null
  const request = nextProbeOf(session)
  return request && { request, rows: [], reads: 'probe' }
}

/** A face with its photograph; undefined when there is none, which is noted. */
async function withPhoto(sessions: Sessions, session: Session, { face, limits }: Extract<Next, { face: Ready }>): Promise<Whole | undefined> {
  const bytes = face.photo && (await photoCounterPort.one(sessions.app).open(session.school_id, face.photo.made_key))
  const { whole, blocked } = planFace(face, limits, bytes)
  if (!whole) await sessions.inLine(session, line => settleBlocked(memoryOf(session), bookOf(line), blocked))
  return whole
}

function memoryOf(session: Session): Memory {
  const memory = memories.get(session) ?? new Memory()
  memories.set(session, memory)
  return memory
}
