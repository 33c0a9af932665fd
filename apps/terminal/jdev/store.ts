import { randomUUID } from 'node:crypto'
import { bucketOf, digestOf, EventItem, row_kinds } from '@kit/terminal-protocol'
import type { DownRow, RowKind, RowResult } from '@kit/terminal-protocol'
import { z } from 'zod'
import { Journal } from './journal.ts'

const Held = z.object({ ver: z.number(), hash: z.string(), body: z.record(z.string(), z.unknown()).optional() })
type Held = z.output<typeof Held>
const Saved = z.object({ firmware: z.string().default('1.0.0'), app_version: z.string().default('1.0.0'), store_id: z.string(), epoch: z.string(), seq: z.number(), lost: z.number(), rows: z.array(z.tuple([z.enum(row_kinds), z.string(), Held])), waiting: z.array(EventItem) })
type Record_ = z.output<typeof EventItem>
/** What is noted between two savings: a row as it is now (null: gone), a record, or up to where records are with the server. */
const Change = z.union([z.object({ row: z.tuple([z.enum(row_kinds), z.string(), Held.nullable()]) }), z.object({ record: EventItem }), z.object({ upto: z.number() })])

/** Records that a terminal keeps until they are acknowledged; beyond that the oldest goes (chapter 31 §3). */
const most_records = 10_000

/** What one terminal holds, in memory and, where it has a file, on disk: nothing that it has said is lost when the power is cut. */
export class TerminalStore {
  readonly #journal: Journal | undefined
  #rows = new Map<RowKind, Map<string, Held>>()
  #waiting: Record_[] = []
  store_id = randomUUID()
  epoch = randomUUID()
  /** versions of its system and of its application */
  firmware = '1.0.0'
  app_version = '1.0.0'
  /** records that were overwritten before anybody had read them */
  lost = 0
  #seq = 0

  constructor(file?: string) {
    if (file === undefined) return
    this.#journal = new Journal(file)
    this.#load(this.#journal.read())
  }

  /** Follows one row; a version it has already is `same`. */
  apply({ k, key, op, ver, hash, body }: DownRow): RowResult {
    const rows = this.#of(k)
    const held = rows.get(key)
    const result = { k, key, ver } as const
    if (held && ver <= held.ver) return { ...result, status: 'same' }
    this.#put(k, key, op === 'delete' ? null : { ver, hash, ...(body === undefined ? {} : { body }) })
    return { ...result, status: 'applied' }
  }

  /** Rows of one kind, by key. */
  held(kind: RowKind): ReadonlyMap<string, Held> {
    return this.#of(kind)
  }

  /** Somebody enters a row at the device itself, which the server knows nothing of. */
  enter(kind: RowKind, key: string, hash: string): void {
    this.#put(kind, key, { ver: 0, hash })
  }

  /** Every row of that key has other content than was sent, as by a failing memory. */
  spoil(key: string, hash: string): void {
    for (const [kind, rows] of this.#rows) {
      const held = rows.get(key)
      if (held) this.#put(kind, key, { ...held, hash })
    }
  }

  /** A row is lost, as by a failing memory. */
  lose(kind: RowKind, key: string): void {
    this.#put(kind, key, null)
  }

  digest(kind: RowKind): string[] {
    return digestOf([...this.#of(kind)].map(([key, { hash }]) => ({ key, hash })))
  }

  /** Keys and hashes of some buckets of a kind. */
  buckets(kind: RowKind, wanted: readonly number[]): { key: string; hash: string }[] {
    return [...this.#of(kind)].filter(([key]) => wanted.includes(bucketOf(key))).map(([key, { hash }]) => ({ key, hash }))
  }

  /** Notes what happened; it waits until it is acknowledged. */
  record(type: string, facts: Record<string, unknown>, at: string): void {
    const item = { ...facts, seq: this.#seq + 1, type, at }
    this.#journal?.note({ record: item })
    this.#keep(item)
  }

  /** The oldest records that wait. */
  oldest(count: number): Record_[] {
    return this.#waiting.slice(0, count)
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /** Everything up to a number is with the server. */
  acknowledge(upto: number): void {
    this.#journal?.note({ upto })
    this.#waiting = this.#waiting.filter(item => item.seq > upto)
  }

  /** Another power-up: what it holds and what waits stay, and the records that wait are numbered anew. */
  restart(): void {
    this.epoch = randomUUID()
    this.#seq = 0
    this.#waiting = this.#waiting.map(item => ({ ...item, seq: (this.#seq += 1) }))
    this.save()
  }

  /** Counts its records from one again within the same power-up, as no hardware should. */
  forgetNumbers(): void {
    this.#seq = 0
  }

  /** Loses everything, as after a reset. */
  wipe(): void {
    this.#rows = new Map()
    this.#waiting = []
    this.#seq = 0
    this.store_id = randomUUID()
    this.epoch = randomUUID()
    this.save()
  }

  /** Writes everything to its file. */
  save(): void {
    const rows = [...this.#rows].flatMap(([kind, held]) => [...held].map(([key, row]) => [kind, key, row] as const))
    this.#journal?.save({ firmware: this.firmware, app_version: this.app_version, store_id: this.store_id, epoch: this.epoch, seq: this.#seq, lost: this.lost, rows, waiting: this.#waiting })
  }

  #put(kind: RowKind, key: string, held: Held | null): void {
    this.#journal?.note({ row: [kind, key, held] })
    if (held === null) this.#of(kind).delete(key)
    else this.#of(kind).set(key, held)
  }

  #keep(item: Record_): void {
    this.#seq = item.seq
    this.#waiting.push(item)
    while (this.#waiting.length > most_records) {
      this.#waiting.shift()
      this.lost += 1
    }
  }

  #of(kind: RowKind): Map<string, Held> {
    const rows = this.#rows.get(kind) ?? new Map<string, Held>()
    this.#rows.set(kind, rows)
    return rows
  }

  /** Takes up what was saved and everything since; a terminal that was never saved is saved, so that it keeps who it is. */
  #load({ saved, changes }: ReturnType<Journal['read']>): void {
    if (saved === null) return this.save()
    const { store_id, epoch, seq, lost, rows, waiting, firmware, app_version } = Saved.parse(saved)
    Object.assign(this, { store_id, epoch, lost, firmware, app_version })
    this.#seq = seq
    this.#waiting = waiting
    for (const [kind, key, held] of rows) this.#of(kind).set(key, held)
    for (const change of changes) this.#follow(Change.parse(change))
    this.save()
  }

  #follow(change: z.output<typeof Change>): void {
    if ('record' in change) return this.#keep(change.record)
    if ('upto' in change) {
      this.#waiting = this.#waiting.filter(item => item.seq > change.upto)
      return
    }
    const [kind, key, held] = change.row
    if (held === null) this.#of(kind).delete(key)
    else this.#of(kind).set(key, held)
  }
}
