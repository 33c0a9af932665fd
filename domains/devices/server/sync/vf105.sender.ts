import { randomUUID } from 'node:crypto'
import type { Limits, Receipt, Reply, Request, RowResult, SyncRow } from '@kit/terminal-protocol'
import { codes, serialOf, vf105Driver as driver } from '@kit/terminal-protocol/vf105'
import { brokerPort } from '@kit/server/mqtt'
import { nextRecords, takeRecords } from '../backlog/backlog.run.ts'
import { followSense } from '../event/alarm.write.ts'
import { depart, land, notePace } from '../link/flight.ts'
import type { Line } from '../link/line.ts'
import type { Reads, Session, Sessions } from '../link/sessions.ts'
import { nextPage, settlePage } from '../proof/proof.run.ts'
import { dueConfigRead, noteSettings, takeConfig } from '../config/report.ts'
import { nextPackage, settleUpgrade } from '../firmware/run.ts'
import { nextProbeOf, takeProbe } from '../probe/probe.run.ts'
import { limitsOf } from './limits.ts'
import { photoCounterPort } from '../photo/counter.ts'
import { readyRows, tellGone } from './ready.ts'
import type { Ready } from './ready.ts'
import { at, compareRows, markSent, sendOnceMore, settleRows, unknownRows, urgentIsDue } from './rows.queries.ts'
import type { OutRow } from './rows.queries.ts'

/** Commands of a session whose answers may still come, by serial, and rows that go by themselves because a batch with them was refused. */
type Memory = { sent: Map<string, Request>; alone: Set<string> }
/** A command that is next; `face`: the row whose photograph it is made of, and what the device takes. */
type Next = { request: Request; rows: OutRow[]; reads: Reads } | { face: Ready; limits: Limits }
const most_remembered = 50
/** Kinds that it can be asked for by their key. */
const readable: readonly string[] = ['permission', 'person', 'credential']
const memories = new WeakMap<Session, Memory>()

/** Sends what is next at a device of this driver: first what is unknown is read, one row a command, then what is due, as the driver plans it. */
export async function sendRequest(sessions: Sessions, session: Session, more: { began_ms: number; timed_out: (id: string) => Promise<void> }): Promise<void> {
  const next = await sessions.inLine(session, async line => (await askRecords(line, session)) ?? (await recheck(line)) ?? askConfig(session) ?? (await askProbe(line, session)) ?? (await nextRequest(sessions, session, line)) ?? (await askUpgrade(line)) ?? (await readPage(line, session)))
  const whole = next && 'face' in next ? await withPhoto(sessions, session, next) : next
  // What has no photograph is noted; the next one goes.
  if (!whole) return next ? sendRequest(sessions, session, more) : undefined
  const { request, rows, reads } = whole
  const id = randomUUID()
  depart(sessions, session, { id, rows, reads, began_ms: more.began_ms, patience_ms: driver.timeout_ms(request) }, more.timed_out)
  remember(session, serialOf(id), request)
  const broker = brokerPort.one(sessions.app)
  session.down_seq += 1
  const { topic, bytes } = driver.encode({ ...request, stamp: { id, seq: session.down_seq, epoch: session.epoch ?? '', at: sessions.app.clock.now().toISOString(), prefix: broker.prefix, client_id: session.client_id } })
  broker.send(session.client_id, topic, Buffer.from(bytes))
}

/** A device has answered; what comes late still settles rows of that version. Whoever calls sends what is next. */
export async function settleRequest(sessions: Sessions, session: Session, reply: Reply): Promise<void> {
  const waiting = session.in_flight
  const request = memories.get(session)?.sent.get(reply.re)
  if (!request) return
  const is_awaited = waiting !== null && serialOf(waiting.id) === reply.re
  if (is_awaited) land(sessions, session)
  if (is_awaited && waiting.reads === 'records') return takeRecords(sessions, session, reply)
  await sessions.inLine(session, async line => {
    const { db, school_id, device_id, now } = line
    const of = { school_id, device_id }
    if (is_awaited && waiting.reads === 'config') return hearConfig(line, session, driver.configOf(reply))
    if (is_awaited && waiting.reads === 'probe') return takeProbe(line, session, reply)
    if (is_awaited && waiting.reads === 'upgrade') return settleUpgrade(line, { is_ok: reply.code === codes.ok, text: reply.message })
    if (is_awaited && waiting.reads === 'proof') return settlePage(line, session, reply)
    if (!request.is_read) {
      const rows = request.rows.map(nameOf)
      await settleRows(db, of, rows, settled(session, driver.settle(request, reply)), now)
      if (is_awaited) noteSettings(session, waiting)
      return tellGone(line, rows)
    }
    const [row] = request.rows
    if (!row || !is_awaited) return
    const held = driver.page(row.k, { step: 0, page: 0 }, reply, driver.limits(''), [])?.held
    await compareRows(db, of, waiting.rows, held && new Map(held.map(one => [one.key, one.hash])), now)
    await tellGone(line, waiting.rows)
  })
  if (is_awaited) notePace(sessions, session, waiting)
}

/** Its settings, among them whether it has a fire: the alarm itself is lost where nobody hears it (chapter 31 §5.7.10). */
async function hearConfig(line: Line, session: Session, config: ReturnType<typeof driver.configOf>): Promise<void> {
  const fire = config?.['access.fireStatus']
  if (fire !== undefined) await followSense(line, 'fire', fire === 1, { epoch: session.epoch ?? '', now: line.now, skew_ms: 0 })
  await takeConfig(line, session, config)
}

async function recheck(line: Line): Promise<Next | null> {
  const { db, school_id, device_id, now } = line
  const unknown = await unknownRows(db, { school_id, device_id }, now)
  const [row] = unknown
  if (!row) return null
  if (!readable.includes(row.kind)) {
    // Setting it twice is setting it once.
    await sendOnceMore(db, school_id, at(device_id, unknown), now)
    return recheck(line)
  }
  const [request] = driver.recheck({ action: '', rows: [{ k: row.kind, key: row.row_key, op: row.want_op, ver: Number(row.want_version), hash: row.want_hash }], is_read: true })
  return request ? { request, rows: [row], reads: 'rows' } : null
}

async function askRecords(line: Line, session: Session): Promise<Next | null> {
  const request = await nextRecords(line, session)
  return request && { request, rows: [], reads: 'records' }
}

async function readPage(line: Line, session: Session): Promise<Next | null> {
  const request = await nextPage(line, session)
  return request && { request, rows: [], reads: 'proof' }
}

async function askUpgrade(line: Line): Promise<Next | null> {
  const found = await nextPackage(line)
  return found && { request: driver.upgrade(found), rows: [], reads: 'upgrade' }
}

function askConfig(session: Session): Next | null {
  const request = dueConfigRead(session, driver)
  return request && { request, rows: [], reads: 'config' }
}

/** A probe goes on between what waits for nobody's turn. */
async function askProbe({ db, school_id, device_id, now }: Line, session: Session): Promise<Next | null> {
  if (!session.probe || (await urgentIsDue(db, { school_id, device_id }, now))) return null
  const request = nextProbeOf(session)
  return request && { request, rows: [], reads: 'probe' }
}

async function nextRequest(sessions: Sessions, session: Session, line: Line): Promise<Next | null> {
  const ready = await readyRows(sessions.app, line)
  const [first] = ready
  if (!first) return null
  const limits = await limitsOf(line, driver)
  if (first.photo) {
    await markSent(line.db, line.school_id, at(line.device_id, [first.out]), line.now)
    return { face: first, limits }
  }
  const alone = memories.get(session)?.alone
  const { requests: [request], blocked } = driver.plan(ready.map(({ down }): SyncRow => (alone?.has(`${down.k} ${down.key}`) ? { ...down, is_alone: true } : down)), limits)
  await settleRows(line.db, line, blocked.map(nameOf), settled(session, blocked), line.now)
  if (!request) return nextRequest(sessions, session, line)
  const rows = ready.filter(({ down }) => request.rows.some(row => row.k === down.k && row.key === down.key)).map(({ out }) => out)
  await markSent(line.db, line.school_id, at(line.device_id, rows), line.now)
  return { request, rows, reads: null }
}

/** A face alone in its command, its photograph in Base64; undefined when there is none, which is noted. */
async function withPhoto(sessions: Sessions, session: Session, { face: { out, down, photo }, limits }: Extract<Next, { face: Ready }>): Promise<{ request: Request; rows: OutRow[]; reads: Reads } | undefined> {
  const bytes = photo && (await photoCounterPort.one(sessions.app).open(session.school_id, photo.made_key))
  const { requests: [request], blocked } = driver.plan([{ ...down, ...(bytes ? { photo: bytes.toString('base64') } : {}) }], limits)
  if (request) return { request, rows: [out], reads: null }
  await sessions.inLine(session, line => settleRows(line.db, line, blocked.map(nameOf), settled(session, blocked), line.now))
  return undefined
}

function nameOf({ k, key, ver }: Pick<SyncRow, 'k' | 'key' | 'ver'>) {
  return { kind: k, row_key: key, want_version: String(ver) }
}

/** Receipts as rows are settled by: what can never go is refused, what nobody knows has no line. */
function settled(session: Session, receipts: readonly Receipt[]): RowResult[] {
  for (const { k, key, is_alone } of receipts) if (is_alone) memoryOf(session).alone.add(`${k} ${key}`)
  return receipts.flatMap(({ k, key, ver, status, code, text }): RowResult[] => {
    if (status === 'unknown') return []
    const why = { ...(code === undefined ? {} : { code }), ...(text === undefined ? {} : { text }) }
    return [{ k, key, ver, status: status === 'blocked' || status === 'conflict' ? 'refused' : status, ...why }]
  })
}

function memoryOf(session: Session): Memory {
  const memory = memories.get(session) ?? { sent: new Map<string, Request>(), alone: new Set<string>() }
  memories.set(session, memory)
  return memory
}

function remember(session: Session, serial: string, request: Request): void {
  const { sent } = memoryOf(session)
  sent.set(serial, request)
  const [oldest] = sent.keys()
  if (sent.size > most_remembered && oldest !== undefined) sent.delete(oldest)
}
