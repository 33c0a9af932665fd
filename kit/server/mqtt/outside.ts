import mqtt from 'mqtt'
import type { IPublishPacket, MqttClient } from 'mqtt'
import { Port } from '../http/index.ts'
import type { Boot } from '../http/index.ts'
import type { Broker } from './broker.ts'
import { clientKindPort } from './client-kind.ts'
import type { ClientKind, Ended } from './client-kind.ts'
import { keepLead } from './lead.ts'
import { covers } from './topic.ts'

/** Time-out of every connection of ours (chapter 31 §1.1). */
const connect_timeout_ms = 400_000
const [keep_alive_s, first_wait_ms, longest_wait_ms] = [30, 500, 15_000]
/** Messages of one client that wait to be worked off; what comes on top of that is dropped: it is not acknowledged and comes again. */
const most_waiting = 500
/** How long somebody whom nobody knows is not asked about again. */
const forget_ms = 10_000

type OutsideKind = ClientKind & { outside: NonNullable<ClientKind['outside']> }
type Held = { kind: OutsideKind; /** null: not settled yet */ is_in: boolean | null; settled: Promise<boolean>; waiting: number; underway: number }

/** The clients of a broker that is not ours: it judges who they are, and says what they say. */
export type Outside = Pick<Broker, 'send' | 'unacknowledged' | 'kick'> & {
  owns(client_id: string): boolean
  /** its hook tells that a client is gone */
  left(client_id: string): void
  close(): Promise<void>
}

/** Filled when devices are at an outside broker. */
export const outsidePort = new Port<Outside>('mqtt.outside')

/**
 * Speaks with an outside broker (CAMPUS_MQTT_URL) for all clients whose kinds can be reached there, as long as this server is the one that leads. Every
 * connection is a new client: what was on its way when the line fell is not sent again by the line, but by whoever keeps what is due.
 */
export function openOutside(boot: Boot, prefix: string): Outside {
  const held = new Map<string, Held>()
  const kinds = clientKindPort.all(boot.app).filter(isOutside)
  const line = new Line(boot, prefix, kinds, {
    heard: (topic, payload, packet) => hear({ boot, prefix, held, kinds }, topic, payload, packet),
    up: () => Promise.all(kinds.map(kind => kind.outside.up())),
    down() {
      for (const client_id of held.keys()) leave(held, client_id, 'closing')
      for (const kind of kinds) kind.outside.down()
    },
  })
  const stopLeading = keepLead(boot, leads => line.want(leads))
  return {
    owns: client_id => kinds.some(kind => kind.owns(client_id)),
    left: client_id => leave(held, client_id, 'left'),
    kick: client_id => leave(held, client_id, 'kicked'),
    unacknowledged: client_id => held.get(client_id)?.underway ?? 0,
    send(client_id, topic, payload) {
      const to = held.get(client_id)
      if (to) to.underway += 1
      line.publish(topic, payload, () => {
        if (to) to.underway = Math.max(0, to.underway - 1)
      })
    },
    close: async () => {
      await stopLeading()
      line.want(false)
    },
  }
}

type Desk = { boot: Boot; prefix: string; held: Map<string, Held>; kinds: readonly OutsideKind[] }

/** The broker has let the sender in; whether the product knows him is asked once, and what he may say every time. */
function hear({ boot, prefix, held, kinds }: Desk, topic: string, payload: Buffer, { retain }: IPublishPacket): void {
  const client_id = topic.slice(prefix.length + 1).split('/')[0] ?? ''
  const kind = kinds.find(one => one.owns(client_id))
  if (!kind || retain || !kind.grants(prefix, client_id).publish.some(filter => covers(filter, topic))) return
  if (kind.outside.isWill(prefix, client_id, topic)) return leave(held, client_id, 'left')
  const one = held.get(client_id) ?? enter(boot, held, kind, client_id)
  if (one.waiting >= most_waiting) return
  one.waiting += 1
  const work = async () => {
    if ((await one.settled) && held.get(client_id) === one) await kind.heard(client_id, topic, payload)
  }
  void work()
    .catch((error: unknown) => boot.app.log.warn({ err: error }, 'a message of the outside broker failed'))
    .then(() => void (one.waiting -= 1))
}

function enter({ app }: Boot, held: Map<string, Held>, kind: OutsideKind, client_id: string): Held {
  const one: Held = { kind, is_in: null, settled: Promise.resolve(false), waiting: 0, underway: 0 }
  held.set(client_id, one)
  const settle = async () => {
    const good = await kind.outside.arrive(client_id).catch((error: unknown) => void app.log.warn({ err: error }, 'a client of the outside broker could not be looked up'))
    one.is_in = good === true && held.get(client_id) === one
    if (one.is_in) kind.subscribed(client_id, '')
    else setTimeout(() => held.get(client_id) === one && held.delete(client_id), forget_ms).unref()
    return one.is_in
  }
  one.settled = settle()
  return one
}

function leave(held: Map<string, Held>, client_id: string, ended: Ended): void {
  const one = held.get(client_id)
  if (!one) return
  held.delete(client_id)
  if (one.is_in) one.kind.gone(client_id, ended)
}

function isOutside(kind: ClientKind): kind is OutsideKind {
  return kind.outside !== undefined
}

type Ear = { heard(topic: string, payload: Buffer, packet: IPublishPacket): void; up(): Promise<unknown>; down(): void }

/** The connection to the broker: made again after every fall, as long as it is wanted. */
class Line {
  readonly #boot: Boot
  readonly #filters: string[]
  readonly #ear: Ear
  #client: MqttClient | undefined
  #is_up = false
  #failed = 0
  #again: NodeJS.Timeout | undefined

  constructor(boot: Boot, prefix: string, kinds: readonly OutsideKind[], ear: Ear) {
    this.#boot = boot
    this.#filters = kinds.flatMap(kind => kind.outside.filters.map(filter => `$share/campus/${prefix}/+/${filter}`))
    this.#ear = ear
  }

  want(wanted: boolean): void {
    clearTimeout(this.#again)
    this.#client?.end(true)
    this.#client = undefined
    if (wanted) this.#connect()
    else this.#fall()
  }

  publish(topic: string, payload: string | Buffer, settled: () => void): void {
    if (!this.#client?.connected) return settled()
    this.#client.publish(topic, payload, { qos: 1, retain: false }, settled)
  }

  #connect(): void {
    const { CAMPUS_MQTT_URL: url } = this.#boot.app.config
    // Every server comes under one id: the next one that leads ends the line of one that died without a word, to which the broker would go on giving half of what is said.
    const client = mqtt.connect(url, { clientId: decodeURIComponent(new URL(url).username), protocolVersion: 4, clean: true, keepalive: keep_alive_s, connectTimeout: connect_timeout_ms, reconnectPeriod: 0 })
    this.#client = client
    client.on('error', error => this.#boot.app.log.warn({ reason: error.message }, 'the outside broker refuses us'))
    client.on('message', (topic, payload, packet) => this.#ear.heard(topic, payload, packet))
    client.once('connect', () => client.subscribe(this.#filters, { qos: 1 }, (error, granted = []) => {
      if (this.#client !== client) return
      if (error || granted.some(({ qos }) => qos === 128)) return void client.end(true)
      this.#failed = 0
      this.#is_up = true
      this.#boot.app.log.info('the outside broker is there')
      void this.#ear.up().catch((failure: unknown) => this.#boot.app.log.warn({ err: failure }, 'devices could not be asked whether they are there'))
    }))
    client.once('close', () => {
      client.end(true)
      if (this.#client !== client) return
      this.#fall()
      this.#failed += 1
      const wait = Math.min(longest_wait_ms, first_wait_ms * 2 ** Math.min(this.#failed - 1, 10))
      this.#again = setTimeout(() => this.#connect(), wait).unref()
    })
  }

  #fall(): void {
    if (!this.#is_up) return
    this.#is_up = false
    this.#boot.app.log.warn('the outside broker is gone')
    this.#ear.down()
  }
}
