import type { Happening, Reply, Request } from '@kit/terminal-protocol'
import { forgetRecords, mayHaveLost, recordsPage, waitingRecords } from '@kit/terminal-protocol/vf105'
import { storeHappenings, vf105_epoch } from '../event/vf105.store.ts'
import { raiseRecordLost } from '../event/record-lost.ts'
import type { Overrun } from '../event/record-lost.ts'
import type { Stored } from '../event/store.ts'
import { noteDrained, writeDrained } from '../link/drain.ts'
import type { Line } from '../link/line.ts'
import type { Session, Sessions } from '../link/sessions.ts'
import { urgentIsDue } from '../sync/rows.queries.ts'
import { numbersAround, readKeeping } from './backlog.queries.ts'

/** What a device that has come still has to tell: what is asked of it next, how often that was asked in vain, how many records it told by itself before it was first asked. */
type Backlog = { arrived: Date; skew_ms: number; told: number; /** those that were here already among them */ heard: number; tries: number; /** when it was last asked how many wait, and how many it had told by then */ counted: { at: Date; heard: number }; /** whether some were overwritten is known */ is_judged: boolean; next: Step }
/** `wait`: it tells those that it had when it was counted by itself, and is counted once more when it has told so many. */
type Step = { ask: 'count' } | { ask: 'wait'; until_heard: number } | { ask: 'page'; page: number; until: number } | { ask: 'forget'; ids: readonly string[]; page: number; until: number }

/** A device tells its records one by one, a tenth of a second each: more than so many are fetched, so many at a time. */
const [told_soon, page_size, most_tries, second_ms] = [100, 500, 3, 1000]
/** How often a device that tells its records by itself is asked whether some are left: nothing else says until when they are all here. */
const counted_every_ms = 120_000
const backlogs = new WeakMap<Session, Backlog>()
const begun = new WeakMap<Session, Date>()

/** A device has come: how many records wait in it is asked before anything that can wait. */
export function expectBacklog(session: Session, arrived: Date, skew_ms: number): void {
  begun.set(session, arrived)
  backlogs.set(session, { arrived, skew_ms, told: 0, heard: 0, tries: 0, counted: { at: arrived, heard: 0 }, is_judged: false, next: { ask: 'count' } })
}

/** A device that has been here for a while says that it is here still. @returns whether it is asked once more how many records wait */
export function countAgain(session: Session, now: Date): boolean {
  if (backlogs.has(session) || now.getTime() - (begun.get(session)?.getTime() ?? 0) < counted_every_ms) return false
  expectBacklog(session, now, session.clock.told.clock_skew_ms ?? 0)
  // What is overwritten is judged after an absence.
  Object.assign(backlogs.get(session) ?? {}, { is_judged: true })
  return true
}

/** A device has told so many records by itself, `fresh` of which were not here yet. @returns whether it is to be asked how many are left */
export function noteTold(session: Session, records: number, fresh: number): boolean {
  const backlog = backlogs.get(session)
  if (!backlog) return false
  backlog.told += fresh
  backlog.heard += records
  if (backlog.next.ask !== 'wait' || backlog.heard < backlog.next.until_heard) return false
  backlog.next = { ask: 'count' }
  return true
}

/** What is to be asked about records next; null: nothing, or something else is more urgent. A device that does not answer is left to tell them by itself. */
export async function nextRecords({ db, school_id, device_id, now }: Line, session: Session): Promise<Request | null> {
  const backlog = backlogs.get(session)
  if (!backlog || backlog.next.ask === 'wait' || (await urgentIsDue(db, { school_id, device_id }, now))) return null
  backlog.tries += 1
  if (backlog.tries > most_tries) backlogs.delete(session)
  const { next } = backlog
  if (backlog.tries > most_tries) return null
  if (next.ask === 'forget') return forgetRecords(next.ids)
  if (next.ask === 'count') backlog.counted = { at: now, heard: backlog.heard }
  return next.ask === 'page' ? waitingRecords({ page: next.page, size: page_size, until: next.until }) : waitingRecords({ page: 0, size: 1 })
}

/** An answer has come. What it brings is stored before the device is told to forget it. */
export async function takeRecords(sessions: Sessions, session: Session, reply: Reply): Promise<void> {
  const backlog = backlogs.get(session)
  if (!backlog) return
  const stored = await sessions.inLine(session, line => followAnswer(line, session, backlog, reply))
  if (stored) sessions.reads.stored(session.school_id, [...stored.passes, ...stored.cards])
}

async function followAnswer(line: Line, session: Session, backlog: Backlog, reply: Reply): Promise<Stored | undefined> {
  const { next } = backlog
  if (next.ask === 'wait') return undefined
  if (next.ask === 'forget') return goOn(line, session, backlog, next)
  const found = recordsPage(reply)
  if (!found) return undefined
  if (next.ask === 'count') return judge(line, session, backlog, found)
  const stored = await storeHappenings(line, found.events, backlog)
  const { forgets } = await readKeeping(line)
  if (!forgets || found.events.length === 0) await goOn(line, session, backlog, next)
  else backlog.next = { ...next, ask: 'forget', ids: found.events.map(one => one.seq) }
  return stored
}

/** The next younger page. The pages are counted from the youngest record that waited, so that what goes meanwhile moves none of them. */
async function goOn(line: Line, session: Session, backlog: Backlog, { page, until }: { page: number; until: number }): Promise<undefined> {
  backlog.tries = 0
  if (page === 0) return end(line, session, backlog)
  backlog.next = { ask: 'page', page: page - 1, until }
}

/** Everything that waited when it was asked how much that is, is here; what it has recorded since it tells by itself. */
async function end(line: Line, session: Session, { counted, skew_ms }: Backlog): Promise<undefined> {
  backlogs.delete(session)
  const drained_to = new Date(counted.at.getTime() - Math.max(skew_ms, 0))
  if (session.is_drained) return void (await writeDrained(line, drained_to))
  session.is_drained = true
  await noteDrained(line, drained_to)
}

/** So many records wait: whether some were overwritten, and whether they are fetched. */
async function judge(line: Line, session: Session, backlog: Backlog, { total, events: [youngest] }: { total: number; events: Happening[] }): Promise<undefined> {
  const { most, has_pictures } = await readKeeping(line)
  if (!backlog.is_judged && most !== null && mayHaveLost(total + backlog.told, most)) await raiseRecordLost(line, await overrunOf(line, backlog, youngest, total))
  backlog.is_judged = true
  backlog.tries = 0
  if (total === 0) return end(line, session, backlog)
  session.is_drained = false
  // Pictures come only with what the device tells by itself.
  if (total <= told_soon || has_pictures || !youngest) backlog.next = waitFor(backlog, backlog.counted.heard + total)
  else backlog.next = { ask: 'page', page: Math.ceil(total / page_size) - 1, until: Math.ceil(Date.parse(youngest.at) / second_ms) }
}

/** It tells so many by itself: some of them it may have told since it was asked. */
function waitFor({ heard }: Backlog, until_heard: number): Step {
  return heard < until_heard ? { ask: 'wait', until_heard } : { ask: 'count' }
}

/** Records are numbered one after the other: those between the last that was here and the first that has come or waits are gone. */
async function overrunOf(line: Line, { arrived }: Backlog, youngest: Happening | undefined, waiting: number): Promise<Overrun | null> {
  const { before, since } = await numbersAround(line, vf105_epoch, arrived)
  const first = since ?? Number(youngest?.seq) - waiting + 1
  return before === null || !Number.isSafeInteger(first) || first <= before + 1 ? null : { from: before + 1, to: first - 1 }
}
