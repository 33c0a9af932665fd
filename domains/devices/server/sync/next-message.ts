import { bucketOf, jdevDriver } from '@kit/terminal-protocol'
import type { DownRow } from '@kit/terminal-protocol'
import { z } from 'zod'
import { dueConfigRead, readsSettingsFirst } from '../config/report.ts'
import { nextPackage } from '../firmware/run.ts'
import type { Line } from '../link/line.ts'
import type { Reads, Session, Sessions } from '../link/sessions.ts'
import { photoAddress } from '../photo/address.ts'
import { nextPage } from '../proof/proof.run.ts'
import { readyRowsAt, tellGoneAt } from './ready.ts'
import type { Ready } from './ready.ts'
import { tellSettled } from './row.tell.ts'
import { at, markSent, settleAll, unknownRows, whatWaits } from './rows.queries.ts'
import type { OutRow } from './out-row.ts'
import type { Said, Waits } from './rows.queries.ts'
import { lockPlans } from './planner.ts'

/** What goes to a device next. */
export type Outgoing = { type: string; body: Record<string, unknown>; rows: readonly OutRow[]; reads: Reads; /** photographs that it has to fetch first */ faces?: number }
export type Next = { message: Outgoing | null }
const nothing: Waits = { is_unknown: false, is_due: false, has_package: false, has_proof: false }
const Body = z.record(z.string(), z.unknown())

/** What goes next to each of several devices of a school; rows are read and marked as sent together. */
export async function nextMessages(sessions: Sessions, school_id: number, asked: readonly Session[]): Promise<ReadonlyMap<Session, Next>> {
  const asked_before = new Map(asked.map(session => [session, session.config_asked]))
  try {
    return await sessions.tenant(school_id, async db => {
      const lines = asked.flatMap(session => (session.device ? [{ session, line: { app: sessions.app, db, school_id, device_id: session.device.device_id, now: sessions.app.clock.now() } }] : []))
      const waits = await whatWaits(db, school_id, lines.map(({ line }) => line.device_id), sessions.app.clock.now())
      const next = new Map<Session, Next>()
      const due: typeof lines = []
      for (const one of lines) {
        const first = await urgentQuestion(one.session, one.line, waits.get(one.line.device_id) ?? nothing)
        if (first) next.set(one.session, { message: first })
        else if (waits.get(one.line.device_id)?.is_due === true) due.push(one)
      }
      for (const [session, message] of await nextRows(sessions, due)) next.set(session, { message })
      for (const { session, line } of lines) if (!next.has(session)) next.set(session, { message: await lastQuestion(session, line, waits.get(line.device_id) ?? nothing) })
      return next
    })
  } catch (error) {
    // Nobody was asked: what is noted of that in memory is taken back with the transaction.
    for (const [session, was_asked] of asked_before) session.config_asked = was_asked
    throw error
  }
}

/** What is unknown is read before anything else goes out; settings before rows where it is not known why they are missing. */
async function urgentQuestion(session: Session, line: Line, waits: Waits): Promise<Outgoing | null> {
  return (waits.is_unknown ? await readBack(line) : null) ?? ((await readsSettingsFirst(line, session)) ? askConfig(session) : null)
}

/** When nothing is due: the settings, a package to fetch, and whole read-backs last. */
async function lastQuestion(session: Session, line: Line, waits: Waits): Promise<Outgoing | null> {
  return askConfig(session) ?? (waits.has_package ? await askUpgrade(line) : null) ?? (waits.has_proof || session.proof ? await readPage(line, session) : null)
}

async function nextRows(sessions: Sessions, due: readonly { session: Session; line: Line }[]): Promise<Map<Session, Outgoing>> {
  const [first] = due
  const messages = new Map<Session, Outgoing>()
  if (!first) return messages
  const { db, school_id, now } = first.line
  const device_ids = due.map(({ line }) => line.device_id)
  await lockPlans(db, school_id, device_ids)
  const ready = await readyRowsAt(first.line, device_ids)
  const sent = [...ready].flatMap(([device_id, rows]) => at(device_id, rows.map(one => one.out)))
  await markSent(db, school_id, sent, now)
  for (const { session, line } of due) {
    const rows = ready.get(line.device_id) ?? []
    if (rows.length > 0) messages.set(session, { type: 'sync.rows', body: { rows: rows.map(one => withAddress(sessions, line, one)) }, rows: rows.map(one => one.out), reads: null, faces: rows.filter(one => one.photo).length })
  }
  return messages
}

/** A face goes as the address under which its photograph is fetched, once. */
function withAddress({ app }: Sessions, { school_id, device_id, now }: Line, { down, photo }: Ready): DownRow {
  if (!photo) return down
  const { sha256, bytes } = photo
  return { ...down, blob: { ...photoAddress(app, now, { school_id, device_id, row_key: down.key, ver: String(down.ver) }), sha256, bytes } }
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

/** Writes what several devices of a school have said of their rows. Whoever derives them waits, and the other way round: both change many rows at once, each in its own order. */
export async function takeSaid(sessions: Sessions, school_id: number, said: readonly Said[]): Promise<ReadonlyMap<Said, object>> {
  const now = sessions.app.clock.now()
  await sessions.tenant(school_id, async db => {
    await lockPlans(db, school_id, said.map(one => one.device_id))
    await settleAll(db, school_id, said, now)
    const [desk, rows] = [{ app: sessions.app, db, school_id, now }, said.flatMap(one => at(one.device_id, one.rows))]
    await tellGoneAt(desk, rows)
    await tellSettled(desk, rows)
  })
  return new Map(said.map(one => [one, {}]))
}
