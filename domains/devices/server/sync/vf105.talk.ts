import { randomUUID } from 'node:crypto'
import type { Limits, Outgoing, Receipt, Reply, Request, RowResult, Stamp, SyncRow } from '@kit/terminal-protocol'
import { serialOf, vf105Driver as driver } from '@kit/terminal-protocol/vf105'
import type { InFlight, Reads } from '../link/sessions.ts'
import type { Ready } from './ready.ts'
import type { OutRow, RowName } from './out-row.ts'
import { nextOfConflicts, takeHolder } from './vf105.holder.ts'
import type { Conflicts, HolderBook } from './vf105.holder.ts'

/** Where the rows of one device are kept. */
export interface RowBook extends HolderBook {
  /** rows of which nobody knows what became of them, of one kind */
  unknown(): Promise<readonly OutRow[]>
  /** what is due and goes together */
  ready(): Promise<readonly Ready[]>
  limits(): Promise<Limits>
  sent(rows: readonly OutRow[]): Promise<void>
  /** they are to be sent once more */
  again(rows: readonly OutRow[]): Promise<void>
  /** nobody knows what became of them */
  lost(rows: readonly RowName[]): Promise<void>
  /** what it holds of rows that were asked for: hash by key, undefined when it did not say */
  read(rows: readonly OutRow[], held: ReadonlyMap<string, string> | undefined): Promise<void>
}

/** A command with the rows that it is about. */
export type Whole = { request: Request; rows: readonly OutRow[]; reads: Reads }
/** What is next; `face`: the row whose photograph it is made of, and what the device takes. */
export type Next = Whole | { face: Ready; limits: Limits }

const most_remembered = 50
/** Kinds that it can be asked for by their key. */
const readable: readonly string[] = ['permission', 'person', 'credential']

/** What is remembered of one connection: commands whose answers may still come, by serial, rows that go by themselves because a batch with them was refused, and credentials that another key holds. */
export class Memory {
  readonly #sent = new Map<string, Request>()
  readonly alone = new Set<string>()
  /** credentials that are taken, by key */
  readonly conflicts: Conflicts = new Map()

  request(serial: string): Request | undefined {
    return this.#sent.get(serial)
  }

  remember(serial: string, request: Request): void {
    this.#sent.set(serial, request)
    const [oldest] = this.#sent.keys()
    if (this.#sent.size > most_remembered && oldest !== undefined) this.#sent.delete(oldest)
  }
}

/** What is next of the rows of a device: first who holds what is taken, then what is unknown is read, one row a command, then what is due, as the driver plans it. `between` goes before what is due. */
export async function nextOfRows(memory: Memory, book: RowBook, between: () => Promise<Whole | null>): Promise<Next | null> {
  return nextOfConflicts(memory.conflicts) ?? (await recheck(book)) ?? (await between()) ?? (await nextDue(memory, book))
}

async function recheck(book: RowBook): Promise<Next | null> {
  const unknown = await book.unknown()
  const [row] = unknown
  if (!row) return null
  if (!readable.includes(row.kind)) {
    // Setting it twice is setting it once.
    await book.again(unknown)
    return recheck(book)
  }
  const [request] = driver.recheck({ action: '', rows: [{ k: row.kind, key: row.row_key, op: row.want_op, ver: Number(row.want_version), hash: row.want_hash }], is_read: true })
  return request ? { request, rows: [row], reads: 'rows' } : null
}

async function nextDue(memory: Memory, book: RowBook): Promise<Next | null> {
  const ready = await book.ready()
  const [first] = ready
  if (!first) return null
  const limits = await book.limits()
  if (first.photo) {
    await book.sent([first.out])
    return { face: first, limits }
  }
  const { requests: [request], blocked } = driver.plan(ready.map(({ down }): SyncRow => (memory.alone.has(`${down.k} ${down.key}`) ? { ...down, is_alone: true } : down)), limits)
  await settleBlocked(memory, book, blocked)
  if (!request) return nextDue(memory, book)
  const rows = ready.filter(({ down }) => request.rows.some(row => row.k === down.k && row.key === down.key)).map(({ out }) => out)
  await book.sent(rows)
  return { request, rows, reads: null }
}

/** A face alone in its command, its photograph in Base64; without a command where there is none, and why. */
export function planFace({ out, down }: Ready, limits: Limits, photo: Buffer | null | undefined): { whole?: Whole; blocked: readonly Receipt[] } {
  const { requests: [request], blocked } = driver.plan([{ ...down, ...(photo ? { photo: photo.toString('base64') } : {}) }], limits)
  return { ...(request ? { whole: { request, rows: [out], reads: null } } : {}), blocked }
}

/** Rows that the device could never take. */
export async function settleBlocked(memory: Memory, book: RowBook, blocked: readonly Receipt[]): Promise<void> {
  await book.said(blocked.map(nameOf), settled(memory, blocked))
}

/** Puts a command into words, under a name of its own each time: a device does twice what comes twice under one name (chapter 31 §5.2). `patience_ms`: how long its answer may take. */
export function put(memory: Memory, request: Request, where: Omit<Stamp, 'id'>): Outgoing & { id: string; patience_ms: number } {
  const id = randomUUID()
  const out = driver.encode({ ...request, stamp: { ...where, id } })
  memory.remember(out.serial, request)
  return { ...out, id, patience_ms: driver.timeout_ms(request) }
}

/** Whether an answer is the one that is waited for. */
export function isAwaited(waiting: Pick<InFlight, 'id'> | null, { re }: Reply): boolean {
  return waiting !== null && serialOf(waiting.id) === re
}

/**
 * What an answer says of rows; what comes late still settles those of that version.
 * @param asked rows that were asked for and of which the answer is waited for
 * @returns the rows that it speaks of
 */
export async function takeReply(memory: Memory, book: RowBook, { request, asked }: { request: Request; asked: readonly OutRow[] }, reply: Reply): Promise<readonly RowName[]> {
  if (await takeHolder(memory.conflicts, book, request, reply)) return []
  if (!request.is_read) {
    const rows = request.rows.map(nameOf)
    const receipts = driver.settle(request, reply)
    for (const { key, ask } of receipts) {
      const [row] = ask?.rows ?? []
      if (ask && row) memory.conflicts.set(key, { row, next: ask })
    }
    await book.said(rows, settled(memory, receipts))
    return rows
  }
  const [row] = request.rows
  if (!row || asked.length === 0) return []
  const held = driver.page(row.k, { step: 0, page: 0 }, reply, driver.limits(''), [])?.held
  await book.read(asked, held && new Map(held.map(one => [one.key, one.hash])))
  return asked
}

/** No answer in time: what was sent is unknown and read before anything else; what was only asked for is asked for again (chapter 30 rule 6). */
export async function loseReply(book: Pick<RowBook, 'lost'>, { reads, rows }: Pick<InFlight, 'reads' | 'rows'>): Promise<void> {
  if (reads === null) await book.lost(rows)
}

function nameOf({ k, key, ver }: Pick<SyncRow, 'k' | 'key' | 'ver'>): RowName {
  return { kind: k, row_key: key, want_version: String(ver) }
}

/** Receipts as rows are settled by: what can never go is refused, what nobody knows has no line. */
function settled(memory: Memory, receipts: readonly Receipt[]): RowResult[] {
  for (const { k, key, is_alone } of receipts) if (is_alone) memory.alone.add(`${k} ${key}`)
  return receipts.flatMap(({ k, key, ver, status, code, text }): RowResult[] => {
    // Of what is taken nothing is known before its holder is.
    if (status === 'unknown' || status === 'conflict') return []
    const why = { ...(code === undefined ? {} : { code }), ...(text === undefined ? {} : { text }) }
    return [{ k, key, ver, status: status === 'blocked' ? 'refused' : status, ...why }]
  })
}
