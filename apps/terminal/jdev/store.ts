import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { bucketOf, digestOf, EventItem, row_kinds } from '@kit/terminal-protocol'
import type { DownRow, RowKind, RowResult } from '@kit/terminal-protocol'
import { z } from 'zod'

const Held = z.object({ ver: z.number(), hash: z.string(), body: z.record(z.string(), z.unknown()).optional() })
type Held = z.output<typeof Held>
const Saved = z.object({ store_id: z.string(), epoch: z.string(), seq: z.number(), lost: z.number(), rows: z.array(z.tuple([z.enum(row_kinds), z.string(), Held])), waiting: z.array(EventItem) })
type Record_ = z.output<typeof EventItem>

/** Records that a terminal keeps until they are acknowledged; beyond that the oldest goes (chapter 31 §3). */
const most_records = 10_000

/** What one terminal holds, in memory and, where it has a file, on disk. */
export class TerminalStore {
  readonly #file: string | undefined
  #rows = new Map<RowKind, Map<string, Held>>()
  #waiting: Record_[] = []
  store_id = randomUUID()
  epoch = randomUUID()
  /** records that were overwritten before anybody had read them */
  lost = 0
  #seq = 0

  constructor(file?: string) {
    this.#file = file
    if (file !== undefined && existsSync(file)) this.#load(readFileSync(file, 'utf8'))
  }

  /** Follows one row; a version it has already is `same`. */
  apply({ k, key, op, ver, hash, body }: DownRow): RowResult {
    const rows = this.#of(k)
    const held = rows.get(key)
    const result = { k, key, ver } as const
    if (held && ver <= held.ver) return { ...result, status: 'same' }
    if (op === 'delete') rows.delete(key)
    else rows.set(key, { ver, hash, ...(body === undefined ? {} : { body }) })
    return { ...result, status: 'applied' }
  }

  /** Rows of one kind, by key. */
  held(kind: RowKind): ReadonlyMap<string, Held> {
    return this.#of(kind)
  }

  /** Somebody enters a row at the device itself, which the server knows nothing of. */
  enter(kind: RowKind, key: string, hash: string): void {
    this.#of(kind).set(key, { ver: 0, hash })
  }

  /** Every row of that key has other content than was sent, as by a failing memory. */
  spoil(key: string, hash: string): void {
    for (const rows of this.#rows.values()) {
      const held = rows.get(key)
      if (held) rows.set(key, { ...held, hash })
    }
  }

  /** A row is lost, as by a failing memory. */
  lose(kind: RowKind, key: string): void {
    this.#of(kind).delete(key)
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
    this.#seq += 1
    this.#waiting.push({ ...facts, seq: this.#seq, type, at })
    while (this.#waiting.length > most_records) {
      this.#waiting.shift()
      this.lost += 1
    }
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
    this.#waiting = this.#waiting.filter(item => item.seq > upto)
  }

  /** Another power-up: what it holds and what waits stay, and the records that wait are numbered anew. */
  restart(): void {
    this.epoch = randomUUID()
    this.#seq = 0
    this.#waiting = this.#waiting.map(item => ({ ...item, seq: (this.#seq += 1) }))
  }

  /** Loses everything, as after a reset. */
  wipe(): void {
    this.#rows = new Map()
    this.#waiting = []
    this.#seq = 0
    this.store_id = randomUUID()
    this.epoch = randomUUID()
  }

  /** Writes everything to its file, whole or not at all. */
  save(): void {
    if (this.#file === undefined) return
    const rows = [...this.#rows].flatMap(([kind, held]) => [...held].map(([key, row]) => [kind, key, row] as const))
    const text = JSON.stringify({ store_id: this.store_id, epoch: this.epoch, seq: this.#seq, lost: this.lost, rows, waiting: this.#waiting })
    writeFileSync(`${this.#file}.new`, text)
    renameSync(`${this.#file}.new`, this.#file)
  }

  #of(kind: RowKind): Map<string, Held> {
    const rows = this.#rows.get(kind) ?? new Map<string, Held>()
    this.#rows.set(kind, rows)
    return rows
  }

  #load(text: string): void {
    const { store_id, epoch, seq, lost, rows, waiting } = Saved.parse(JSON.parse(text))
    Object.assign(this, { store_id, epoch, lost })
    this.#seq = seq
    this.#waiting = waiting
    for (const [kind, key, held] of rows) this.#of(kind).set(key, held)
  }
}
