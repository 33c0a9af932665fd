import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { createWebSocketStream, WebSocketServer } from 'ws'
import type { WebSocket } from 'ws'
import type { App } from '../http/index.ts'
import { callerAddress } from '../http/index.ts'
import type { Broker } from './broker.ts'
import { openEntrance, widest } from './entrance.ts'
import type { Entered } from './entrance.ts'

const sub_protocol = 'mqtt'
const going_away = 1001

/** Lets clients reach the broker through the HTTP server; the answer takes no more connections and ends those there are. */
export function serveWebSocket(app: App, http: Server, broker: Broker): () => void {
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, clientTracking: true, maxPayload: widest(app, 'ws').packet_bytes, handleProtocols: () => sub_protocol })
  const addressOf = callerAddress(app.config)
  const entrance = openEntrance(app, 'ws')
  let closed = false
  http.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const address = addressOf(request)
    if (closed) return answer(socket, '503 Service Unavailable')
    if (!offered(request).includes(sub_protocol)) return answer(socket, '400 Bad Request')
    if (entrance.isFull(address)) return answer(socket, '429 Too Many Requests')
    sockets.handleUpgrade(request, socket, head, opened => admit(broker, opened, address, entrance.enter(address)))
  })
  return () => {
    closed = true
    for (const socket of sockets.clients) socket.close(going_away)
  }
}

function admit(broker: Broker, socket: WebSocket, address: string, entered: Entered): void {
  socket.once('close', () => entered.known(null))
  socket.on('message', (data, is_binary) => {
    const offence = is_binary && Buffer.isBuffer(data) ? entered.look(data) : 'unreadable packet'
    if (offence) socket.terminate()
  })
  const stream = createWebSocketStream(socket)
  stream.on('error', () => socket.terminate())
  broker.take(stream, { address, transport: 'ws', known: kind => entered.known(kind) })
}

function offered(request: IncomingMessage): string[] {
  return (request.headers['sec-websocket-protocol'] ?? '').split(',').map(name => name.trim())
}

function answer(socket: Duplex, status: string): void {
  socket.on('error', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
}
