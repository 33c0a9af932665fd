import type { Duplex } from 'node:stream'
import { Aedes } from 'aedes'
import type { Client, ConnectPacket, PublishPacket, Subscription } from 'aedes'
import { MinuteWindow, Port } from '../http/index.ts'
import type { App } from '../http/index.ts'
import { kindsHere } from './client-kind.ts'
import type { ClientKind, Ended, Transport } from './client-kind.ts'
import { connect_ms, drain_ms, longest_keep_alive_s, most_refusals } from './limits.ts'
import { covers, topicPrefix } from './topic.ts'

/** A connection before anybody knows who it is. */
type Visitor = { address: string; transport: Transport; /** who it is has been settled, one way or the other */ known(kind: ClientKind | null): void }

/** The one broker of a process: carries messages and stores nothing. */
export type Broker = {
  prefix: string
  /** takes a connection whose first bytes are MQTT */
  take(stream: Duplex, visitor: Visitor): void
  /** sends to one client with QoS 1, whether it subscribed or not; nothing when it is not here */
  send(client_id: string, topic: string, payload: string | Buffer): void
  /** messages on their way to a client that it has not acknowledged */
  unacknowledged(client_id: string): number
  /** ends the connection of a client */
  kick(client_id: string): void
  /** ends all of them */
  close(): Promise<void>
}

/** Filled when the server is opened. */
export const brokerPort = new Port<Broker>('mqtt.broker')

type Held = { kind: ClientKind; client: Client; underway: number; ended_by?: Ended }

/** Where a refused message goes: nobody may subscribe to it. */
const nowhere = '$refused'

/** Opens the broker; whoever connects is judged by the kinds that fill `clientKindPort`, but those of an outside broker. */
export async function openBroker(app: App): Promise<Broker> {
  const prefix = topicPrefix(app.config.CAMPUS_MQTT_TOPIC_PREFIX)
  const held = new Map<string, Held>()
  const visitors = new WeakMap<Duplex, Visitor>()
  const aedes = new Aedes({ connectTimeout: connect_ms, drainTimeout: drain_ms, heartbeatInterval: 3_600_000, ...hooks({ app, prefix, held, visitors, refusals: new MinuteWindow() }) })
  await aedes.listen()
  aedes.on('ack', (_packet, client) => count(held, client, -1))
  aedes.on('subscribe', (subscriptions, client) => subscriptions.forEach(({ topic, qos }) => Number(qos) <= 2 && held.get(client.id)?.kind.subscribed(client.id, topic)))
  return {
    prefix,
    take: (stream, visitor) => {
      visitors.set(stream, visitor)
      aedes.handle(stream)
    },
    send(client_id, topic, payload) {
      const to = held.get(client_id)
      if (!to?.client.connected) return
      to.underway += 1
      to.client.publish({ cmd: 'publish', topic, payload, qos: 1, retain: false, dup: false }, () => undefined)
    },
    unacknowledged: client_id => held.get(client_id)?.underway ?? 0,
    kick(client_id) {
      const one = held.get(client_id)
      if (one) end(one, 'kicked')
    },
    close() {
      for (const one of held.values()) one.ended_by = 'closing'
      return new Promise(resolve => aedes.close(() => resolve()))
    },
  }
}

type Door = { app: App; prefix: string; held: Map<string, Held>; visitors: WeakMap<Duplex, Visitor>; refusals: MinuteWindow }

function hooks(door: Door) {
  const { app, prefix, held } = door
  return {
    preConnect: (client: Client, packet: ConnectPacket, done: (error: Error | null, success: boolean) => void) => {
      const kind = kindOf(door, client, packet)
      // Nothing is kept for anybody: what waits, waits in the database (chapter 31 §1.2).
      Object.assign(packet, { clean: true, keepalive: Math.min(packet.keepalive || longest_keep_alive_s, longest_keep_alive_s) })
      const may = kind !== undefined && (packet.will === undefined || mayWill(kind, prefix, packet))
      done(may ? null : new Error('no client of this broker'), may)
    },
    authenticate: (client: Client, username: string | undefined, password: Buffer | undefined, done: (error: null, success: boolean) => void) => {
      void judge(door, client, { username: username ?? '', password: String(password ?? '') }, good => done(null, good))
    },
    authorizePublish: (client: Client | null, packet: PublishPacket, done: (error?: Error | null) => void) => {
      const from = client && held.get(client.id)
      if (!from) return done(client ? new Error('not connected') : null)
      const { publish } = from.kind.grants(prefix, client.id)
      if (packet.retain || !publish.some(filter => covers(filter, packet.topic))) {
        Object.assign(packet, { topic: nowhere, payload: Buffer.alloc(0), retain: false })
        refuse(door, from)
        return done(null)
      }
      void from.kind.heard(client.id, packet.topic, Buffer.from(packet.payload)).catch((error: unknown) => app.log.warn({ err: error }, 'a message to the broker failed'))
      return done(null)
    },
    authorizeSubscribe: (client: Client, subscription: Subscription, done: (error: null, subscription: Subscription | null) => void) => {
      const from = held.get(client.id)
      const may = from?.kind.grants(prefix, client.id).subscribe.some(filter => covers(filter, subscription.topic))
      if (from && !may) refuse(door, from)
      done(null, may ? subscription : null)
    },
  }
}

function kindOf({ app, visitors }: Door, client: Client, { clientId }: ConnectPacket): ClientKind | undefined {
  const transport = visitors.get(client.conn)?.transport
  return kindsHere(app).find(kind => transport !== undefined && kind.transports.includes(transport) && kind.owns(clientId))
}

function mayWill(kind: ClientKind, prefix: string, { clientId, will }: ConnectPacket): boolean {
  return kind.may_will && will?.retain !== true && kind.grants(prefix, clientId).publish.some(filter => covers(filter, will?.topic ?? ''))
}

async function judge(door: Door, client: Client, shown: { username: string; password: string }, settled: (good: boolean) => void): Promise<void> {
  const failed = (error: unknown): boolean => {
    door.app.log.warn({ err: error }, 'a client of the broker could not be judged')
    return false
  }
  const good = await admit(door, client, shown).catch(failed)
  settled(good)
}

async function admit({ app, held, visitors }: Door, client: Client, { username, password }: { username: string; password: string }): Promise<boolean> {
  const visitor = visitors.get(client.conn)
  const kind = kindsHere(app).find(one => one.owns(client.id))
  if (!visitor || !kind) return false
  const { address, transport } = visitor
  const good = await kind.admit({ client_id: client.id, username, password, address, transport })
  visitor.known(good ? kind : null)
  if (!good) return false
  if (client.closed) {
    if (!held.has(client.id)) kind.gone(client.id, 'left')
    return false
  }
  // The same id twice: the newer takes over, and its kind has just learnt so by `admit`. The older one's end must not be taken for the newer one's.
  const one: Held = { kind, client, underway: 0 }
  held.set(client.id, one)
  client.conn.once('close', () => {
    if (held.get(client.id) !== one) return
    held.delete(client.id)
    kind.gone(client.id, one.ended_by ?? 'left')
  })
  return true
}

/** Counted; the third in a minute ends the connection (chapter 31 §1.4). */
function refuse({ app, refusals }: Door, one: Held): void {
  if (refusals.hit(one.client.id, most_refusals - 1, app.clock.now()) > 0) end(one, 'kicked')
}

function end(one: Held, by: Ended): void {
  one.ended_by = by
  one.client.close()
}

function count(held: Map<string, Held>, client: Client, by: number): void {
  const one = held.get(client.id)
  if (one?.client === client) one.underway = Math.max(0, one.underway + by)
}
