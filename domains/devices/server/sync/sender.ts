import { randomUUID } from 'node:crypto'
import { bucketOf, downTopic, encodeMessage, jdevDriver } from '@kit/terminal-protocol'
import type { DownRow, ReplyUp } from '@kit/terminal-protocol'
import { brokerPort } from '@kit/server/mqtt'
import { z } from 'zod'
import { depart, land, notePace } from '../link/flight.ts'
import type { Line } from '../link/line.ts'
import type { Reads, Session, Sessions } from '../link/sessions.ts'
import { losePage, nextPage, settlePage } from '../proof/proof.run.ts'
import { dueConfigRead, noteSettings, readsSettingsFirst, takeConfig } from '../config/report.ts'
import { nextPackage, settleUpgrade } from '../firmware/run.ts'
import { takeProbe } from '../probe/probe.run.ts'
import { photoAddress } from '../photo/address.ts'
import { readyRows, tellGone } from './ready.ts'
import type { Ready } from './ready.ts'
import { compareRows, markSent, markUnknown, settleRows, unknownRows, urgentIsDue, whatWaits } from './rows.queries.ts'
import type { OutRow } from './rows.queries.ts'
import { sendRequest } from './vf105.sender.ts'

/** How long a device may take for its reply (chapter 31 §5.7.6 has the longer ones of other hardware). */
const [reply_ms, face_ms] = [15_000, 1000]
/** And for fetching a package. */
const upgrade_ms = 315_000
const server_epoch = randomUUID()
const Body = z.record(z.string(), z.unknown())

type Outgoing = { type: string; body: Record<string, unknown>; rows: readonly OutRow[]; reads: Reads; /** photographs that it has to fetch first */ faces?: number }

/** Sends what is due at a device, one message after the other, as long as it is here. */
export function pump(sessions: Sessions, session: Session): Promise<void> {
  return sessions.queue(session.client_id, () => sendNext(sessions, session))
}

/** A device has answered. What comes late still settles the rows that are of that version. */
export async function settle(sessions: Sessions, session: Session, re: string | undefined, reply: ReplyUp): Promise<void> {
  const waiting = session.in_flight
  if (!waiting || waiting.id !== re) return settleLate(sessions, session, reply)
  land(sessions, session)
  await sessions.inLine(session, async line => {
    const { db, school_id, device_id, now } = line
    const of = { school_id, device_id }
    const answer = { re: waiting.id, action: 'reply', code: reply.code, message: reply.text ?? '', data: reply }
    if (waiting.reads === 'config') return takeConfig(line, session, jdevDriver.configOf(answer))
    if (waiting.reads === 'upgrade') return settleUpgrade(line, { is_ok: reply.code === 'ok', text: reply.text ?? reply.code })
    if (waiting.reads === 'proof') return settlePage(line, session, answer)
    if (waiting.reads === 'rows') await compareRows(db, of, waiting.rows, reply.rows && new Map(reply.rows.map(row => [row.key, row.hash])), now)
    else await settleRows(db, of, waiting.rows, reply.results ?? [], now)
    await tellGone(line, waiting.rows)
    noteSettings(session, waiting)
  })
  notePace(sessions, session, waiting)
  await sendNext(sessions, session)
}

async function settleLate(sessions: Sessions, session: Session, { results = [] }: ReplyUp): Promise<void> {
  const rows = results.map(({ k, key, ver }) => ({ kind: k, row_key: key, want_version: String(ver) }))
  await sessions.inLine(session, async line => {
    await settleRows(line.db, line, rows, results, line.now)
    await tellGone(line, rows)
  })
}

/** The session is over: nobody knows what became of what was on its way. */
export async function dropInFlight(sessions: Sessions, session: Session): Promise<void> {
  const waiting = session.in_flight
  if (!waiting) return
  land(sessions, session)
  if (waiting.reads === 'proof') await sessions.inLine(session, line => losePage(line, session))
  else if (waiting.reads === 'probe') await sessions.inLine(session, line => takeProbe(line, session, undefined))
  else if (waiting.reads === null) await sessions.inLine(session, ({ db, school_id, device_id }) => markUnknown(db, { school_id, device_id }, waiting.rows))
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
  if (session.in_flight || session.epoch === null || sessions.of(session.client_id) !== session) return false
  const is_held = session.held_until !== null && session.held_until > sessions.app.clock.now()
  if (!is_held && sessions.flights.take(session, false)) return true
  // Deletions of lost cards and leavers wait for nobody's turn.
  return (await hasUrgent(sessions, session)) && sessions.flights.take(session, true)
}

async function sendOne(sessions: Sessions, session: Session): Promise<void> {
  const began_ms = performance.now()
  if (session.device?.driver === 'vf105') return sendRequest(sessions, session, { began_ms, timed_out: id => timeOut(sessions, session, id) })
  if (session.device?.driver !== 'jdev') return
  let message: Outgoing | null = null
  await sessions.inLine(session, async line => {
    message = await nextMessage(sessions, session, line)
  })
  if (message) send(sessions, session, message, began_ms)
}

/** What is unknown is read before anything else goes out, whole read-backs come last. */
async function nextMessage(sessions: Sessions, session: Session, line: Line): Promise<Outgoing | null> {
  const waits = await whatWaits(line.db, line, line.now)
  const first = waits.is_unknown ? await readBack(line) : null
  const rows = first ?? ((await readsSettingsFirst(line, session)) ? askConfig(session) : null) ?? (waits.is_due ? await nextRows(sessions, line) : null)
  return rows ?? askConfig(session) ?? (waits.has_package ? await askUpgrade(line) : null) ?? (waits.has_proof || session.proof ? await readPage(line, session) : null)
}

async function hasUrgent(sessions: Sessions, session: Session): Promise<boolean> {
  return (await sessions.inLine(session, ({ db, school_id, device_id, now }) => urgentIsDue(db, { school_id, device_id }, now))) ?? false
}

/** A page of a read-back, when nothing else is to be done. */
async function readPage(line: Line, session: Session): Promise<Outgoing | null> {
  const request = await nextPage(line, session)
  return request && { type: request.action, body: Body.parse(request.data), rows: [], reads: 'proof' }
}

/** A package that the device is to fetch, when nothing else is to be done. */
async function askUpgrade(line: Line): Promise<Outgoing | null> {
  const found = await nextPackage(line)
  return found && { type: 'cmd', body: Body.parse(jdevDriver.upgrade(found).data), rows: [], reads: 'upgrade' }
}

/** The settings, once after they may have changed. */
function askConfig(session: Session): Outgoing | null {
  const request = dueConfigRead(session, jdevDriver)
  return request && { type: request.action, body: Body.parse(request.data), rows: [], reads: 'config' }
}

async function readBack({ db, school_id, device_id, now }: Line): Promise<Outgoing | null> {
  const rows = await unknownRows(db, { school_id, device_id }, now)
  const [first] = rows
  if (!first) return null
  return { type: 'sync.bucket', body: { kind: first.kind, b: [...new Set(rows.map(row => bucketOf(row.row_key)))] }, rows, reads: 'rows' }
}

/** A face goes as the address under which its photograph is fetched, once. */
function withAddress({ app }: Sessions, { school_id, device_id, now }: Line, { down, photo }: Ready): DownRow {
  if (!photo) return down
  const { sha256, bytes } = photo
  return { ...down, blob: { ...photoAddress(app, now, { school_id, device_id, row_key: down.key, ver: String(down.ver) }), sha256, bytes } }
}

async function nextRows(sessions: Sessions, line: Line): Promise<Outgoing | null> {
  const ready = await readyRows(sessions.app, line)
  if (ready.length === 0) return null
  const rows = ready.map(one => one.out)
  await markSent(line.db, line, rows, line.now)
  return { type: 'sync.rows', body: { rows: ready.map(one => withAddress(sessions, line, one)) }, rows, reads: null, faces: ready.filter(one => one.photo).length }
}

function send(sessions: Sessions, session: Session, { type, body, rows, reads, faces = 0 }: Outgoing, began_ms: number): void {
  const id = randomUUID()
  const patience_ms = reads === 'upgrade' ? upgrade_ms : reply_ms + faces * face_ms
  depart(sessions, session, { id, rows, reads, began_ms, patience_ms }, late => timeOut(sessions, session, late))
  say(sessions, session, reads === 'upgrade' ? 'cmd' : 'sync', { type, body, id })
}

/** Publishes one message to a device. */
export function say(sessions: Sessions, session: Session, kind: 'hello' | 'sync' | 'cmd' | 'ack', { type, body, id = randomUUID(), re }: { type: string; body: Record<string, unknown>; id?: string; re?: string }): void {
  const broker = brokerPort.one(sessions.app)
  session.down_seq += 1
  const head = { id, seq: session.down_seq, epoch: server_epoch, ts: sessions.app.clock.now().toISOString(), ...(re === undefined ? {} : { re }) }
  broker.send(session.client_id, downTopic(broker.prefix, session.client_id, kind), encodeMessage(head, type, body))
}

/** No reply in time: the rows are unknown, and the next message reads them. */
async function timeOut(sessions: Sessions, session: Session, id: string): Promise<void> {
  if (session.in_flight?.id !== id) return
  await dropInFlight(sessions, session)
  await sendNext(sessions, session)
}
