import { randomUUID } from 'node:crypto'
import type { App, Boot } from '@kit/server/http'
import { MinuteWindow, Port } from '@kit/server/http'
import { brokerPort } from '@kit/server/mqtt'
import type { Probed } from '@kit/terminal-protocol/vf105'
import type { Db } from '../db.ts'
import type { Reading } from '../proof/reading.ts'
import { Flights } from '../sync/flights.ts'
import { Paces, writePaces } from '../sync/pace.ts'
import type { OutRow } from '../sync/out-row.ts'
import type { PhotoDesk } from '../photo/prepare.ts'
import { ReadTeller } from '../event/read-teller.ts'
import { WireTeller } from '../wire/wire-teller.ts'
import type { ClockBook } from './clock-book.ts'
import type { Line } from './line.ts'
import { writeMetrics } from './metrics.ts'
import type { Metric } from './metrics.ts'
import { writeSeen } from './seen.write.ts'
import type { Seen } from './seen.write.ts'

/** What waits for the reply of a device: one command at a time (chapter 30 rule 5). `reads`: what is asked for, where it is no change. */
export type InFlight = { id: string; rows: readonly OutRow[]; reads: Reads; timer: NodeJS.Timeout; /** when it was begun, by the machine's own clock in milliseconds */ began_ms: number }
/** Rows of which nobody knows what became of them, a page of a whole read-back, or the settings; `upgrade`: nothing, the device fetches a package; `probe`: what it takes at all; `records`: what happened at it while it was away; `adoption`: a step by which it becomes the school's own; `holder`: who has a credential that is taken. */
export type Reads = 'rows' | 'proof' | 'config' | 'upgrade' | 'probe' | 'records' | 'adoption' | 'holder' | null

/** A client of the broker on this node that has shown its secret. `device` null: it waits for being claimed. */
export type Session = {
  client_id: string
  school_id: number
  address: string
  device: { device_id: string; driver: string; is_temporary: boolean } | null
  /** it hears what is said to it: it has subscribed */
  is_listening: boolean
  /** power-up of the device, once it has said hello */
  epoch: string | null
  /** what it has not answered yet */
  in_flight: InFlight | null
  /** its settings are to be read: it has just come, or has just taken some; null: they are not */
  config_due: 'arrival' | 'change' | null
  /** they were asked for */
  config_asked: boolean
  /** messages said to it so far */
  down_seq: number
  /** how far a whole read-back has come; null: none is under way */
  proof: Reading | null
  /** the command by which it is probed, and what it has answered so far; null: it is not */
  probe: { command_id: string; said: Probed[] } | null
  /** what it last said of its door, as text; null: nothing in this session */
  door: string | null
  /** what a board last said of itself that is worth telling, as text, and when */
  board: { text: string; at: Date } | null
  /** what it last said of the devices below it, as text; null: nothing in this session */
  children: string | null
  /** what it last said that it may recognise, as text; null: nothing in this session */
  algorithms: string | null
  /** when it last said something, by the machine's own clock in milliseconds */
  heard_ms: number
  /** rows wait until then; null: nothing holds them back */
  held_until: Date | null
  /** it last said that none of its records waits */
  is_drained: boolean
  /** what is known of its clock */
  clock: ClockBook
}

/** The sessions of one node and their work, one piece after the other for each. */
export class Sessions {
  readonly #boot: Boot
  readonly #open = new Map<string, Session>()
  readonly #tails = new Map<string, Promise<void>>()
  readonly #seen = new Map<string, Seen>()
  readonly #metrics = new Map<string, Metric>()
  /** tells open monitors what readers have seen */
  readonly reads: ReadTeller
  /** tells whoever looks at a line what is said on it */
  readonly wire: WireTeller
  /** which sessions have a command under way */
  readonly flights: Flights<Session>
  /** how fast their devices are */
  readonly paces = new Paces()
  /** what clients were last asked that they hold, and have not answered in time */
  readonly unanswered = new Map<string, Pick<InFlight, 'id' | 'rows'>>()
  /** tells this node from others */
  readonly node = randomUUID()
  /** connections that were refused lately */
  readonly refusals = new MinuteWindow()
  /** the last break of the outside broker, and until when; null: none so far */
  outage: { since: Date; until: Date | null } | null = null

  /** @param wake sends what waits for a session that may go on */
  constructor(boot: Boot, wake: (sessions: Sessions, session: Session) => void) {
    this.#boot = boot
    this.flights = new Flights(session => wake(this, session))
    const teller = (failed: string) => ({ tenant: <R>(school_id: number, work: (db: Db) => Promise<R>) => this.tenant(school_id, work), now: () => boot.app.clock.now(), warn: (error: unknown) => boot.app.log.warn({ err: error }, failed) })
    this.reads = new ReadTeller(teller('readings were not told'))
    this.wire = new WireTeller(teller('messages were not told'))
  }

  get app(): App {
    return this.#boot.app
  }

  /** What work outside a transaction needs. */
  get desk(): PhotoDesk {
    const { app, database } = this.#boot
    return { app, own: (school_id, work) => database.tenant(school_id, work), tenant: (school_id, work) => database.tenant(school_id, work) }
  }

  /** What work on files outside a transaction needs. */
  fileDesk() {
    const { app, database } = this.#boot
    return { app, now: app.clock.now(), own: database.tenant.bind(database) }
  }

  of(client_id: string): Session | undefined {
    return this.#open.get(client_id)
  }

  all(): Session[] {
    return [...this.#open.values()]
  }

  /** Opens a session. @returns the one it takes over, if any */
  open(session: Session): Session | undefined {
    const before = this.#open.get(session.client_id)
    this.#open.set(session.client_id, session)
    return before
  }

  close(client_id: string): Session | undefined {
    const session = this.#open.get(client_id)
    this.#open.delete(client_id)
    return session
  }

  /** Does a piece of work after all earlier ones of the same client; its failure ends that piece alone. */
  queue(client_id: string, work: () => Promise<void>): Promise<void> {
    const before = this.#tails.get(client_id) ?? Promise.resolve()
    const mine = before.then(work).catch((error: unknown) => this.app.log.warn({ err: error, client_id }, 'work for a device failed'))
    this.#tails.set(client_id, mine)
    void mine.then(() => {
      if (this.#tails.get(client_id) === mine) this.#tails.delete(client_id)
    })
    return mine
  }

  /** Publishes to the device of a session. */
  send(session: Session, topic: string, payload: Buffer): void {
    brokerPort.one(this.app).send(session.client_id, topic, payload)
    this.heard(session, 'down', topic, payload)
  }

  /** A message has gone over the line of a session: whoever looks at it is told. */
  heard({ school_id, device }: Session, way: 'up' | 'down', topic: string, payload: Uint8Array): void {
    if (device) this.wire.said({ school_id, device_id: device.device_id }, { driver: device.driver, way, topic, payload })
  }

  /** One transaction of a school. */
  tenant<R>(school_id: number, work: (db: Db) => Promise<R>): Promise<R> {
    return this.#boot.database.tenant(school_id, work)
  }

  /** One transaction about the device of a session; nothing, and undefined, for who waits to be claimed. */
  async inLine<R>({ school_id, device }: Session, work: (line: Line) => Promise<R>): Promise<R | undefined> {
    if (!device) return undefined
    return this.tenant(school_id, db => work({ app: this.app, db, school_id, device_id: device.device_id, now: this.app.clock.now() }))
  }

  /** Notes that a device was heard of, and until when its records are here where it has said so; written together with others a little later. */
  seen(session: Session, now: Date, drained_to: Date | null = null): void {
    const { school_id, device, clock } = session
    session.heard_ms = performance.now()
    if (!device) return
    const key = `${school_id} ${device.device_id}`
    this.#seen.set(key, { school_id, device_id: device.device_id, at: now, ...clock.told, drained_to: drained_to ?? this.#seen.get(key)?.drained_to ?? null })
  }

  /** Notes how a device is; written together with others a little later. */
  measured(metric: Metric): void {
    this.#metrics.set(`${metric.school_id} ${metric.device_id} ${metric.bucket}`, metric)
  }

  /** Writes how fast devices are. */
  async flushPaces(): Promise<void> {
    for (const [school_id, rows] of Map.groupBy(this.paces.drain(), one => one.school_id)) await this.tenant(school_id, db => writePaces(db, school_id, rows))
  }

  /** Writes when devices were last heard of, how they were and how fast they are. */
  async flush(): Promise<void> {
    const [seen, metrics] = [[...this.#seen.values()], [...this.#metrics.values()]]
    this.#seen.clear()
    this.#metrics.clear()
    for (const [school_id, rows] of Map.groupBy(metrics, one => one.school_id)) await this.tenant(school_id, db => writeMetrics(db, school_id, rows))
    await this.flushPaces()
    for (const [school_id, rows] of Map.groupBy(seen, one => one.school_id)) await this.tenant(school_id, db => writeSeen({ app: this.app, db, school_id, now: this.app.clock.now() }, rows))
  }

  /** Waits until nothing is under way. */
  async settled(): Promise<void> {
    while (this.#tails.size > 0) await Promise.all(this.#tails.values())
    await this.reads.settled()
    await this.wire.settled()
  }
}

/** Filled at start: the sessions of this node. */
export const sessionsPort = new Port<Sessions>('devices.sessions')
