import { randomUUID } from 'node:crypto'
import { bucketOf, digestOf, EventItem, row_kinds } from '@kit/terminal-protocol'
import type { DownRow, RowKind, RowResult } from '@kit/terminal-protocol'
import { setting_fields } from '@kit/terminal-protocol/console'
import type { SettingValue, SettingValues } from '@kit/terminal-protocol/console'
import { z } from 'zod'
import { Journal } from './journal.ts'
import { noPasses, Passes, withPass } from './passes.ts'

const Held = z.object({ ver: z.number(), hash: z.string(), body: z.record(z.string(), z.unknown()).optional() })
type Held = z.output<typeof Held>
const Values = z.record(z.string(), z.union([z.number(), z.string(), z.array(z.string())]))
const Saved = z.object({
  store_id: z.string(), epoch: z.string(), seq: z.number(), lost: z.number(), rows: z.array(z.tuple([z.enum(row_kinds), z.string(), Held])), waiting: z.array(EventItem), settings: z.record(z.string(), Values).default({}),
  passes: Passes.default(noPasses()),
})
type Record_ = z.output<typeof EventItem>
/** What is noted between two savings: a row as it is now (null: gone), a record, up to where records are with the server, or values of a group of settings. */
const Change = z.union([z.object({ row: z.tuple([z.enum(row_kinds), z.string(), Held.nullable()]) }), z.object({ record: EventItem }), z.object({ upto: z.number() }), z.object({ set: z.tuple([z.string(), Values]) })])
/** What the hardware is by itself: a loss of everything does not change it. */
const own_group = 'hardware'

/** Records that a terminal keeps until they are acknowledged; beyond that the oldest goes (chapter 31 §3). */
const most_records = 10_000

/** What one terminal holds, in memory and, where it has a file, on disk: nothing that it has said is lost when the power is cut. */
export class TerminalStore {
  readonly #journal: Journal | undefined
  #rows = new Map<RowKind, Map<string, Held>>()
  #waiting: Record_[] = []
  #settings: Record<string, SettingValues> = {}
  /** how often somebody has used a permission that counts: by person and permission */
  readonly uses = new Map<string, number>()
  /** who came last, and how many today */
  passes = noPasses()
  store_id = randomUUID()
  epoch = randomUUID()
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

  /** How much of each it holds, and records that wait. */
  get counts() {
    const kinds = [...this.held('credential').values()].map(({ body }) => body?.kind)
    return { persons: this.held('person').size, cards: kinds.filter(kind => kind === 'card').length, faces: kinds.filter(kind => kind === 'face').length, permissions: this.held('permission').size, records_waiting: this.waiting }
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

  /** A setting (`group.name`) as somebody has set it, at the device or from the server. */
  own(key: string): SettingValue | undefined {
    const [group = '', name = ''] = key.split('.')
    return this.#settings[group]?.[name]
  }

  /** A setting as it holds: set, or as delivered. */
  setting(key: string): SettingValue | undefined {
    const [group = '', name = ''] = key.split('.')
    return this.own(key) ?? setting_fields[group]?.[name]?.initial
  }

  /** Sets some values of a group; the others stay. */
  set(group: string, values: SettingValues): void {
    this.#journal?.note({ set: [group, values] })
    this.#settings[group] = { ...this.#settings[group], ...values }
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
    this.#settings = { [own_group]: this.#settings[own_group] ?? {} }
    this.passes = noPasses()
    this.#seq = 0
    this.store_id = randomUUID()
    this.epoch = randomUUID()
    this.save()
  }

  /** Writes everything to its file. */
  save(): void {
    const rows = [...this.#rows].flatMap(([kind, held]) => [...held].map(([key, row]) => [kind, key, row] as const))
    this.#journal?.save({ store_id: this.store_id, epoch: this.epoch, seq: this.#seq, lost: this.lost, rows, waiting: this.#waiting, settings: this.#settings, passes: this.passes })
  }

  #put(kind: RowKind, key: string, held: Held | null): void {
    this.#journal?.note({ row: [kind, key, held] })
    if (held === null) this.#of(kind).delete(key)
    else this.#of(kind).set(key, held)
  }

  #keep(item: Record_): void {
    this.#seq = item.seq
    if (item.type === 'pass') this.passes = withPass(this.passes, item)
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
    const { store_id, epoch, seq, lost, rows, waiting, settings, passes } = Saved.parse(saved)
    Object.assign(this, { store_id, epoch, lost, passes })
    this.#seq = seq
    this.#waiting = waiting
    this.#settings = settings
    for (const [kind, key, held] of rows) this.#of(kind).set(key, held)
    for (const change of changes) this.#follow(Change.parse(change))
    this.save()
  }

  #follow(change: z.output<typeof Change>): void {
    if ('record' in change) return this.#keep(change.record)
    if ('set' in change) {
      const [group, values] = change.set
      this.#settings[group] = { ...this.#settings[group], ...values }
      return
    }
    if ('upto' in change) {
      this.#waiting = this.#waiting.filter(item => item.seq > change.upto)
      return
    }
    const [kind, key, held] = change.row
    if (held === null) this.#of(kind).delete(key)
    else this.#of(kind).set(key, held)
  }
}
