import { randomUUID } from 'node:crypto'
import { downTopic, encodeMessage, jdevDriver } from '@kit/terminal-protocol'
import type { ReplyUp } from '@kit/terminal-protocol'
import { brokerPort } from '@kit/server/mqtt'
import { takeAdoption } from '../adoption/adoption.run.ts'
import { missConfig, noteSettings, takeConfig } from '../config/report.ts'
import { settleUpgrade } from '../firmware/run.ts'
import { depart, land, notePace } from '../link/flight.ts'
import type { Line } from '../link/line.ts'
import type { InFlight, Session, Sessions } from '../link/sessions.ts'
import { takeProbe } from '../probe/probe.run.ts'
import { losePage, settlePage } from '../proof/proof.run.ts'
import { nextMessages, takeSaid } from './next-message.ts'
import type { Next, Outgoing } from './next-message.ts'
import { tellGone } from './ready.ts'
import { tellSettled } from './row.tell.ts'
import { at, compareRows, settleRows, urgentIsDue } from './rows.queries.ts'
import type { OutRow } from './out-row.ts'
import type { Said } from './rows.queries.ts'
import { bookOf } from './row-book.ts'
import { Together } from './together.ts'
import { sendRequest } from './vf105.sender.ts'
import { loseReply } from './vf105.talk.ts'

/** How long a device may take for its reply (chapter 31 §5.7.6 has the longer ones of other hardware). */
const [reply_ms, face_ms] = [15_000, 1000]
/** And for fetching a package. */
const upgrade_ms = 315_000
const server_epoch = randomUUID()
/** Devices in one transaction. */
const devices_together = 25

/** What several devices of a node ask for at about the same moment is done together. */
type Desks = { next: Together<Session, Next>; said: Together<Said, object> }
const desks = new WeakMap<Sessions, Desks>()

function desksOf(sessions: Sessions): Desks {
  const known = desks.get(sessions) ?? { next: new Together(devices_together, (school_id, asked) => nextMessages(sessions, school_id, asked)), said: new Together(devices_together, (school_id, said) => takeSaid(sessions, school_id, said)) }
  desks.set(sessions, known)
  return known
}

/** Sends what is due at a device, one message after the other, as long as it is here. */
export function pump(sessions: Sessions, session: Session): Promise<void> {
  return sessions.queue(session.client_id, () => sendNext(sessions, session))
}

/** A device has answered. What comes late still settles the rows that are of that version. */
export async function settle(sessions: Sessions, session: Session, re: string | undefined, reply: ReplyUp): Promise<void> {
  const waiting = session.in_flight
  if (!waiting || waiting.id !== re) return settleLate(sessions, session, re, reply)
  land(sessions, session)
  if (waiting.reads === null) await settleSaid(sessions, session, waiting.rows, reply)
  else await settleRead(sessions, session, waiting, reply)
  noteSettings(session, waiting)
  notePace(sessions, session, waiting)
  await sendNext(sessions, session)
}

/** What it was asked for. */
async function settleRead(sessions: Sessions, session: Session, waiting: InFlight, reply: ReplyUp): Promise<void> {
  await sessions.inLine(session, async line => {
    const answer = { re: waiting.id, action: 'reply', code: reply.code, message: reply.text ?? '', data: reply }
    if (waiting.reads === 'config') return takeConfig(line, session, jdevDriver.configOf(answer))
    if (waiting.reads === 'upgrade') return settleUpgrade(line, { is_ok: reply.code === 'ok', text: reply.text ?? reply.code })
    if (waiting.reads === 'proof') return settlePage(line, session, answer)
    await compareHeld(line, waiting.rows, reply)
  })
}

async function compareHeld(line: Line, asked: readonly OutRow[], { rows }: ReplyUp): Promise<void> {
  await compareRows(line.db, line, asked, rows && new Map(rows.map(row => [row.key, row.hash])), line.now)
  await tellGone(line, asked)
  await tellSettled(line, at(line.device_id, asked))
}

/** What it says of rows, written together with what others say at the same moment. */
async function settleSaid(sessions: Sessions, { school_id, device }: Session, rows: readonly OutRow[], { results = [] }: ReplyUp): Promise<void> {
  if (device) await desksOf(sessions).said.ask(school_id, { device_id: device.device_id, rows, results })
}

async function settleLate(sessions: Sessions, session: Session, re: string | undefined, reply: ReplyUp): Promise<void> {
  const asked = sessions.unanswered.get(session.client_id)
  if (asked && asked.id === re) {
    sessions.unanswered.delete(session.client_id)
    await sessions.inLine(session, line => compareHeld(line, asked.rows, reply))
    return
  }
  const { results = [] } = reply
  const rows = results.map(({ k, key, ver }) => ({ kind: k, row_key: key, want_version: String(ver) }))
  await sessions.inLine(session, async line => {
    await settleRows(line.db, line, rows, results, line.now)
    await tellGone(line, rows)
    await tellSettled(line, at(line.device_id, rows))
  })
}

/** The session is over: nobody knows what became of what was on its way. */
export async function dropInFlight(sessions: Sessions, session: Session): Promise<void> {
  const waiting = session.in_flight
  if (!waiting) return
  land(sessions, session)
  if (waiting.reads === 'config') missConfig(session)
  if (waiting.reads === 'rows') sessions.unanswered.set(session.client_id, { id: waiting.id, rows: waiting.rows })
  if (waiting.reads === 'proof') await sessions.inLine(session, line => losePage(line, session))
  else if (waiting.reads === 'adoption') await sessions.inLine(session, line => takeAdoption(line, session, undefined))
  else if (waiting.reads === 'probe') await sessions.inLine(session, line => takeProbe(line, session, undefined))
  else await sessions.inLine(session, line => loseReply(bookOf(line), waiting))
}

/** One command a device, and so many a node (chapter 30 rule 5); a place that is not used goes to the next. */
async function sendNext(sessions: Sessions, session: Session): Promise<void> {
  try {
    if (await mayGo(sessions, session)) await sendOne(sessions, session)
  } finally {
    if (!session.in_flight) sessions.flights.give(session)
  }
}

async function mayGo(sessions: Sessions, session: Session): Promise<boolean> {
  if (session.in_flight || !session.is_listening || session.epoch === null || sessions.of(session.client_id) !== session) return false
  const is_held = session.held_until !== null && session.held_until > sessions.app.clock.now() && !isToSayHowItIs(session)
  if (!is_held && sessions.flights.take(session, false)) return true
  // Deletions of lost cards and leavers wait for nobody's turn.
  return (await hasUrgent(sessions, session)) && sessions.flights.take(session, true)
}

/** What comes after a break of the broker waits for its turn; how a door is does not. Our own terminals say it unasked. */
function isToSayHowItIs({ device, config_due, config_asked }: Session): boolean {
  return device?.driver === 'vf105' && config_due === 'arrival' && !config_asked
}

async function sendOne(sessions: Sessions, session: Session): Promise<void> {
  const began_ms = performance.now()
  if (session.device?.driver === 'vf105') return sendRequest(sessions, session, { began_ms, timed_out: id => timeOut(sessions, session, id) })
  if (session.device?.driver !== 'jdev') return
  const { message } = await desksOf(sessions).next.ask(session.school_id, session)
  if (message) send(sessions, session, message, began_ms)
}

async function hasUrgent(sessions: Sessions, session: Session): Promise<boolean> {
  return (await sessions.inLine(session, ({ db, school_id, device_id, now }) => urgentIsDue(db, { school_id, device_id }, now))) ?? false
}

function send(sessions: Sessions, session: Session, { type, body, rows, reads, faces = 0 }: Outgoing, began_ms: number): void {
  const id = randomUUID()
  const patience_ms = reads === 'upgrade' ? upgrade_ms : reply_ms + faces * face_ms
  depart(sessions, session, { id, rows, reads, began_ms, patience_ms }, late => timeOut(sessions, session, late))
  say(sessions, session, reads === 'upgrade' ? 'cmd' : 'sync', { type, body, id })
}

/** Publishes one message to a device. */
export function say(sessions: Sessions, session: Session, kind: 'hello' | 'sync' | 'cmd' | 'ack', { type, body, id = randomUUID(), re }: { type: string; body: Record<string, unknown>; id?: string; re?: string }): void {
  const { prefix } = brokerPort.one(sessions.app)
  session.down_seq += 1
  const head = { id, seq: session.down_seq, epoch: server_epoch, ts: sessions.app.clock.now().toISOString(), ...(re === undefined ? {} : { re }) }
  sessions.send(session, downTopic(prefix, session.client_id, kind), encodeMessage(head, type, body))
}

/** No reply in time: the rows are unknown, and the next message reads them. */
export async function timeOut(sessions: Sessions, session: Session, id: string): Promise<void> {
  if (session.in_flight?.id !== id) return
  await dropInFlight(sessions, session)
  await sendNext(sessions, session)
}
