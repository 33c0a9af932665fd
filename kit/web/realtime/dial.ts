import { kitPorts } from '../ports.ts'
import type { RealtimeTicket } from '../ports.ts'
import { countFrames, readFrame } from './frame.ts'
import type { Frame } from './frame.ts'

const KEEP_ALIVE_S = 60

/** A connection that stands. */
export type Standing = {
  ticket: RealtimeTicket
  /** under this browser's own topic */
  publish(level: string, body: object): void
  end(): void
}
export type Ends = { up(standing: Standing): void; down(): void; frame(frame: Frame): void; isClosed(): boolean }

/** One attempt: `up` when it stands and `down` when it falls; `down` alone when it never stood. Rejects when there is no ticket. */
export async function dial({ up, down, frame, isClosed }: Ends): Promise<void> {
  const [ticket, { default: mqtt }] = await Promise.all([kitPorts().realtime.ticket(), import('mqtt')])
  if (isClosed()) return
  const { client_id, token, topic, url, connect_timeout } = ticket
  const address = new URL(url, window.location.href.replace(/^http/, 'ws')).href
  const client = mqtt.connect(address, {
    clientId: client_id,
    username: client_id,
    password: token,
    protocolVersion: 4,
    clean: true,
    reconnectPeriod: 0,
    resubscribe: false,
    connectTimeout: connect_timeout,
    keepalive: KEEP_ALIVE_S,
    // The other kind of timer runs in a worker made of a blob, which the content security policy forbids.
    timerVariant: 'native',
  })
  const standing: Standing = {
    ticket,
    publish: (level, body) => client.publish(`${topic}/${level}`, JSON.stringify(body), { qos: 1 }),
    end: () => client.end(true),
  }
  const isHole = countFrames()
  client.on('message', (_topic, payload) => {
    const told = readFrame(jsonOf(payload.toString()))
    if (told) frame({ ...told, gap: isHole(told) || told.gap })
  })
  client.on('connect', () => client.subscribe(`${topic}/down/#`, { qos: 1 }, (error) => (error ? client.end(true) : up(standing))))
  client.on('error', () => undefined)
  client.once('close', () => {
    client.end(true)
    down()
  })
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
