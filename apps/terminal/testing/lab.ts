import { randomUUID } from 'node:crypto'
import type { Command, Driver, Happening, HeldRow, Inbound, Limits, Page, Receipt, Reply, Request, RowKind, SyncRow } from '@kit/terminal-protocol'

/** A virtual terminal on a wire of memory. */
export type Played = {
  /** sends whatever comes down, and says what comes up */
  connect(up: (topic: string, bytes: Uint8Array) => void): void
  disconnect(): void
  down(topic: string, bytes: Uint8Array): void
  /** what it holds in truth */
  held(kind: RowKind): HeldRow[]
  /** spoils what it holds */
  spoil(kind: RowKind, key: string): void
  lose(kind: RowKind, key: string): void
  plant(key: string): void
  show(card: string): void
  drop_replies(count: number): void
}

export const prefix = 'jdev'
export const sn = 'S1'
const session = { client_id: sn, prefix }

/** The server's side of a line, without its database: plans, sends, listens and settles through the seam alone. */
export class Lab {
  readonly said: Inbound[] = []
  readonly sent: Command[] = []
  acknowledges = true
  allows = false
  readonly limits: Limits
  readonly driver: Driver
  readonly device: Played
  #replies = new Map<string, Reply>()
  /** what has arrived and is not heard yet: an answer may bring the next word before it is out */
  #arrived: [string, Uint8Array][] = []
  #is_hearing = false
  #seq = 0

  constructor(driver: Driver, device: Played) {
    this.driver = driver
    this.device = device
    this.limits = driver.limits('any')
    this.connect()
  }

  connect(): void {
    this.device.connect((topic, bytes) => this.#arrive(topic, bytes))
  }

  disconnect(): void {
    this.device.disconnect()
  }

  /** Sends rows as the driver plans them. @returns what became of each */
  sync(rows: readonly SyncRow[]): Receipt[] {
    const { requests, blocked } = this.driver.plan(rows, this.limits)
    return [...blocked, ...requests.flatMap(request => {
      const reply = this.ask(request)
      return reply ? this.driver.settle(request, reply) : request.rows.map(({ k, key, ver }): Receipt => ({ k, key, ver, status: 'unknown' }))
    })]
  }

  /** One command. @returns its answer, where one came */
  ask(request: Request, id: string = randomUUID()): Reply | undefined {
    const command = { ...request, stamp: this.#stamp(id) }
    this.sent.push(command)
    const { topic, bytes, serial } = this.driver.encode(command)
    this.device.down(topic, bytes)
    return this.#replies.get(serial)
  }

  /** Reads everything of a kind. */
  read(kind: RowKind): Page[] {
    const pages: Page[] = []
    let cursor: Page['next'] = { step: 0, page: 0 }
    while (cursor) {
      const reply = this.ask(this.driver.readback(kind, cursor, this.limits))
      if (!reply) return pages
      const page = this.driver.page(kind, cursor, reply, this.limits, [])
      if (!page) throw new Error(`no page of ${kind}`)
      pages.push(page)
      cursor = page.next
    }
    return pages
  }

  /** Everything that has happened at the door, as often as it was told. */
  events(type = 'pass'): Happening[] {
    return this.said.flatMap(one => (one.kind === 'events' ? one.events.filter(event => event.type === type) : []))
  }

  #arrive(topic: string, bytes: Uint8Array): void {
    this.#arrived.push([topic, bytes])
    if (this.#is_hearing) return
    this.#is_hearing = true
    for (let next = this.#arrived.shift(); next; next = this.#arrived.shift()) this.#hear(...next)
    this.#is_hearing = false
  }

  #hear(topic: string, bytes: Uint8Array): void {
    const inbound = this.driver.decode(topic, bytes, session)
    this.said.push(inbound)
    if (inbound.kind === 'reply') this.#replies.set(inbound.reply.re, inbound.reply)
    const answer = this.acknowledges ? this.driver.acknowledge(inbound, this.#stamp(randomUUID()), this.allows) : undefined
    if (answer) this.device.down(answer.topic, answer.bytes)
  }

  #stamp(id: string) {
    this.#seq += 1
    return { id, seq: this.#seq, epoch: 'e', at: new Date().toISOString(), ...session }
  }
}
