import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { createWebSocketStream, WebSocketServer } from 'ws'
import type { WebSocket } from 'ws'
import type { App } from '../http/index.ts'
import { callerAddress } from '../http/index.ts'
import type { Broker } from './broker.ts'
import { clientKindPort } from './client-kind.ts'
import { most_unknown } from './limits.ts'
import { meterPackets } from './packet-meter.ts'
import type { Bound } from './packet-meter.ts'

const sub_protocol = 'mqtt'
const going_away = 1001

/** Lets browsers reach the broker through the HTTP server; the answer takes no more connections and ends those there are. */
export function serveWebSocket(app: App, http: Server, broker: Broker): () => void {
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, clientTracking: true, maxPayload: widest(app).packet_bytes, handleProtocols: () => sub_protocol })
  const addressOf = callerAddress(app.config)
  const unknown = new Map<string, number>()
  let closed = false
  http.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const address = addressOf(request)
    if (closed) return answer(socket, '503 Service Unavailable')
    if (!offered(request).includes(sub_protocol)) return answer(socket, '400 Bad Request')
    if ((unknown.get(address) ?? 0) >= most_unknown) return answer(socket, '429 Too Many Requests')
    sockets.handleUpgrade(request, socket, head, opened => admit(app, broker, opened, { address, unknown }))
  })
  return () => {
    closed = true
    for (const socket of sockets.clients) socket.close(going_away)
  }
}

/** What is known of connections that have not said who they are, by address. */
type Hall = { address: string; unknown: Map<string, number> }

function admit(app: App, broker: Broker, socket: WebSocket, { address, unknown }: Hall): void {
  let bound = widest(app)
  let waiting = true
  unknown.set(address, (unknown.get(address) ?? 0) + 1)
  const settled = () => {
    if (!waiting) return
    waiting = false
    const left = (unknown.get(address) ?? 1) - 1
    if (left > 0) unknown.set(address, left)
    else unknown.delete(address)
  }
  socket.once('close', settled)
  const meter = meterPackets(() => bound, () => performance.now())
  socket.on('message', (data, is_binary) => {
    const offence = is_binary && Buffer.isBuffer(data) ? meter(data) : 'unreadable packet'
    if (offence) socket.terminate()
  })
  const stream = createWebSocketStream(socket)
  stream.on('error', () => socket.terminate())
  broker.take(stream, {
    address,
    transport: 'ws',
    known: kind => {
      settled()
      if (kind) bound = kind.bound
    },
  })
}

function widest(app: App): Bound {
  const bounds = clientKindPort.all(app).filter(kind => kind.transports.includes('ws')).map(kind => kind.bound)
  const most = (of: (bound: Bound) => number) => Math.max(0, ...bounds.map(of))
  return { packet_bytes: most(bound => bound.packet_bytes), per_second: most(bound => bound.per_second), burst: most(bound => bound.burst) }
}

function offered(request: IncomingMessage): string[] {
  return (request.headers['sec-websocket-protocol'] ?? '').split(',').map(name => name.trim())
}

function answer(socket: Duplex, status: string): void {
  socket.on('error', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
}
